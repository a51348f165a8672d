// Threads that do the parts of a job beside each other. What a part does must not depend on which
// thread does it, nor on when: so results have the same bits with any number of threads.
// They begin with the first job that has several parts and end with crew_end, so that nothing runs
// while its owner has not been called.
#pragma once

enum { CREW_MOST = 64 };  // threads, that of the caller among them

typedef struct Crew Crew;

Crew* crew_create(void);  // NULL: out of memory
void crew_destroy(Crew* crew);

// From now on jobs may have so many threads; fewer where the system gives no more.
void crew_begin(Crew* crew, int n_threads);
void crew_end(Crew* crew);

// Does the parts 0 to n - 1 of a job, each once, and returns when all are done. Without a crew
// (NULL) or before it has begun they are done one after the other.
typedef void CrewWork(void* job, int part);
void crew_run(Crew* crew, int n, CrewWork* work, void* job);
