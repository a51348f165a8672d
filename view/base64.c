#include "view/base64.h"

static void add_three(TextBuffer* out, const unsigned char* b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned bits = (unsigned)b[0] << 16 | (unsigned)b[1] << 8 | b[2];
    const char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                          digits[bits & 63]};
    text_add_bytes(out, text, sizeof text);
}

void base64_add(Base64Writer* writer, const unsigned char* bytes, size_t n) {
    while (n > 0 && (writer->n_rest > 0 || n < 3)) {
        writer->rest[writer->n_rest++] = *bytes++;
        n--;
        if (writer->n_rest == 3) {
            add_three(writer->out, writer->rest);
            writer->n_rest = 0;
        }
    }
    for (; n >= 3; n -= 3, bytes += 3) {
        add_three(writer->out, bytes);
    }
    for (; n > 0; n--) {
        writer->rest[writer->n_rest++] = *bytes++;
    }
}

void base64_end(Base64Writer* writer) {
    const size_t n = writer->n_rest;
    if (n > 0) {
        for (size_t i = n; i < 3; i++) {
            writer->rest[i] = 0;
        }
        add_three(writer->out, writer->rest);
        TextBuffer* out = writer->out;
        for (size_t i = n; i < 3 && !out->failed; i++) {
            out->text[out->n - 3 + i] = '=';
        }
    }
    writer->n_rest = 0;
}
