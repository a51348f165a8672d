// What other programs call things: words that no misspelling of ours explains.
#pragma once

// The elements that a tag may mean, in words, or NULL.
const char* other_word(const char* tag);
// What an attribute may mean, in words, or NULL.
const char* other_attribute(const char* name);
