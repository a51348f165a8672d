// XML attributes, each written with the space before it: ` name="value"`.
#include "modelDescription/attribute.h"

void attribute_text(TextBuffer* out, const char* name, const char* value) {
    text_add_format(out, " %s=\"", name);
    text_add_xml(out, value);
    text_add(out, "\"");
}

void attribute_double(TextBuffer* out, const char* name, double value) {
    text_add_format(out, " %s=\"", name);
    text_add_double(out, value);
    text_add(out, "\"");
}

void attribute_integer(TextBuffer* out, const char* name, long long value) {
    text_add_format(out, " %s=\"%lld\"", name, value);
}

void attribute_bool(TextBuffer* out, const char* name, bool value) {
    text_add_format(out, " %s=\"%s\"", name, value ? "true" : "false");
}
