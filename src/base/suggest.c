// The name that a user who misspelt one may have meant: the nearest by edit distance (insertions,
// deletions, substitutions), if no more than a third of the word is wrong.
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 96 };  // longer names are not compared

static int smaller(int a, int b) { return a < b ? a : b; }

// Levenshtein's distance; row[j] is that of the first i characters of a to the first j of b.
static int edit_distance(const char* a, const char* b) {
    int row[LONGEST + 1];
    const int n_a = (int)strlen(a), n_b = (int)strlen(b);
    for (int j = 0; j <= n_b; j++) {
        row[j] = j;
    }
    for (int i = 1; i <= n_a; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n_b; j++) {
            const int substituted = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(substituted, 1 + smaller(row[j], row[j - 1]));
        }
    }
    return row[n_b];
}

void suggest_consider(Suggestion* suggestion, const char* written, const char* candidate) {
    const size_t n = strlen(written);
    if (n > LONGEST || strlen(candidate) > LONGEST) {
        return;
    }
    // A written beginning of a name is near, however much of it is missing.
    const int distance =
        n >= 3 && strncmp(written, candidate, n) == 0 ? 1 : edit_distance(written, candidate);
    if (distance < (int)n && distance <= ((int)n + 2) / 3 &&
        (suggestion->name == NULL || distance < suggestion->distance)) {
        *suggestion = (Suggestion){candidate, distance};
    }
}

const char* suggest_words(const Suggestion* suggestion, char words[SUGGEST_WORDS]) {
    words[0] = '\0';
    if (suggestion->name != NULL) {
        (void)snprintf(words, SUGGEST_WORDS, ", did you mean '%s'?", suggestion->name);
    }
    return words;
}
