// The name that a user who misspelt one may have meant.
#pragma once

typedef struct Suggestion {
    const char* name;  // nearest so far, NULL if none is near enough
    int distance;
} Suggestion;

// Considers one candidate for what was written.
void suggest_consider(Suggestion* suggestion, const char* written, const char* candidate);

// ", did you mean 'NAME'?" or nothing, in words.
enum { SUGGEST_WORDS = 128 };
const char* suggest_words(const Suggestion* suggestion, char words[SUGGEST_WORDS]);
