#include "view/page.h"

#include <string.h>

static const char scene_place[] = "<!--scene-->";
static const char motion_place[] = "<!--motion-->";

// Embedded texts have a 0 behind them.
static const char* find(const char* text, const char* place) {
    return text != NULL ? strstr(text, place) : NULL;
}

bool page_template_is_whole(const PageTemplate* page) {
    const char* scene = page->n > 0 ? find(page->text, scene_place) : NULL;
    return find(scene, motion_place) != NULL;
}

void page_write(const PageTemplate* page, const TextBuffer* scene, const TextBuffer* motion,
                TextBuffer* out) {
    const char* at_scene = find(page->text, scene_place);
    const char* after_scene = at_scene + strlen(scene_place);
    const char* at_motion = find(after_scene, motion_place);
    const char* after_motion = at_motion + strlen(motion_place);
    text_add_bytes(out, page->text, (size_t)(at_scene - page->text));
    text_add_bytes(out, scene->text, scene->n);
    text_add_bytes(out, after_scene, (size_t)(at_motion - after_scene));
    text_add_bytes(out, motion->text, motion->n);
    text_add_bytes(out, after_motion, (size_t)(page->text + page->n - after_motion));
    out->failed = out->failed || scene->failed || motion->failed;
}
