// The page of a motion: one file of HTML that needs nothing else.
#pragma once

#include "base/text.h"

// The page's own text, in which two comments mark where scene and motion go.
typedef struct PageTemplate {
    const char* text;
    size_t n;  // 0: the program was built without one
} PageTemplate;

// Has the template both places, in order?
bool page_template_is_whole(const PageTemplate* page);

// The template with scene and motion in place; to be called with a whole one.
void page_write(const PageTemplate* page, const TextBuffer* scene, const TextBuffer* motion,
                TextBuffer* out);
