// Prints the schemas and the reference of the model format. The files in the repository are what
// this prints; tests/c/test_model_format.c compares. Run in the root of the repository:
//   model_format schema           > resources/schema/model.xsd
//   model_format materials_schema > resources/schema/materials.xsd
//   model_format document         > docs/model-format.md
//   model_format python           > python/clatter/elements.py
#include "model_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const char template_path[] = "tools/model-format.in.md";

static Status write_document(TextBuffer* out) {
    enum { LIMIT = 1 << 20 };
    char* text = NULL;
    size_t n = 0;
    Status status = file_read(template_path, LIMIT, &text, &n);
    if (status == STATUS_OK) {
        status = model_document_write(text, out);
    }
    free(text);
    return status;
}

static int finish(Status status, TextBuffer* out) {
    if (status == STATUS_OK && out->failed) {
        status = STATUS_OUT_OF_MEMORY;
    }
    const bool written = status == STATUS_OK && out->text != NULL &&
                         fwrite(out->text, 1, out->n, stdout) == out->n && fflush(stdout) == 0;
    if (status != STATUS_OK) {
        fprintf(stderr, "model_format: %s: %s\n", template_path, status_text(status));
    }
    text_buffer_free(out);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int n_arguments, char** arguments) {
    const char* what = n_arguments == 2 ? arguments[1] : "";
    TextBuffer out = {0};
    if (strcmp(what, "schema") == 0) {
        model_schema_write(&out);
    } else if (strcmp(what, "materials_schema") == 0) {
        materials_schema_write(&out);
    } else if (strcmp(what, "python") == 0) {
        model_python_write(&out);
    } else if (strcmp(what, "document") == 0) {
        return finish(write_document(&out), &out);
    } else {
        fputs(
            "usage: model_format schema|materials_schema|document|python, in the repository's "
            "root\n",
            stderr);
        return EXIT_FAILURE;
    }
    return finish(STATUS_OK, &out);
}
