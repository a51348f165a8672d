// Failure is a value: what a function that can fail returns.
#pragma once

typedef enum Status {
    STATUS_OK = 0,
    STATUS_NO_CONVERGENCE,  // an iteration did not reach its tolerance
    STATUS_SINGULAR,        // a matrix could not be factorised
    STATUS_NOT_FINITE,      // a value is NaN or infinite
    STATUS_OUT_OF_RANGE,    // a value lies outside the range declared for it
    STATUS_NOT_ALLOWED,     // the call does not fit the object or its present state
    STATUS_NOT_AVAILABLE,   // the quantity is not defined here
    STATUS_INVALID_MODEL,   // the description was rejected; the problems were reported
    STATUS_NO_FILE,         // a file could not be read or written
    STATUS_TOO_LARGE,       // a size exceeds its limit
    STATUS_OUT_OF_MEMORY,
    STATUS_NO_ROOM,      // scratch memory has to grow
    STATUS_NO_SOLUTION,  // the contact laws contradict each other
    STATUS_TOO_LONG,     // a step is longer than the scheme is stable for
    STATUS_COUNT
} Status;

#if defined(__GNUC__)
#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#else
#define MUST_CHECK
#define PRINTF_LIKE(at, first)
#endif

// A short clause in words for messages, such as "the iteration did not converge".
const char* status_text(Status status);
