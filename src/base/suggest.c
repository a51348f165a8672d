// The name that a user who misspelt one may have meant: the nearest by edit distance (insertions,
// deletions, substitutions, two letters in the wrong order), if no more than a third of the word is
// wrong.
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 96 };  // longer names are not compared

static int smaller(int a, int b) { return a < b ? a : b; }

// Damerau's distance; row[j] is that of the first i characters of a to the first j of b, before[j]
// and earlier[j] those of the first i-1 and i-2.
static int edit_distance(const char* a, const char* b) {
    int rows[3][LONGEST + 1];
    const int n_a = (int)strlen(a), n_b = (int)strlen(b);
    for (int j = 0; j <= n_b; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= n_a; i++) {
        int* row = rows[i % 3];
        const int* before = rows[(i - 1) % 3];
        const int* earlier = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= n_b; j++) {
            const int substituted = before[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(substituted, 1 + smaller(before[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = smaller(row[j], earlier[j - 2] + 1);
            }
        }
    }
    return rows[n_a % 3][n_b];
}

void suggest_consider(Suggestion* suggestion, const char* written, const char* candidate) {
    const size_t n = strlen(written);
    if (n > LONGEST || strlen(candidate) > LONGEST) {
        return;
    }
    // A written beginning of a name is near, however much of it is missing.
    const int distance =
        n >= 3 && strncmp(written, candidate, n) == 0 ? 1 : edit_distance(written, candidate);
    if (distance < (int)n && distance <= (n < 6 ? 1 : (int)n / 3) &&
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
