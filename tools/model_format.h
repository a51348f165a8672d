// Writers of the schemas, of the Python classes and of the reference of the model format, from the
// tables of the program.
#pragma once

#include "base/text.h"

void model_schema_write(TextBuffer* out);
void materials_schema_write(TextBuffer* out);
void model_python_write(TextBuffer* out);
// Copies the template, with what the tables say in place of its lines <!-- NAME -->.
// STATUS_NOT_AVAILABLE if the template asks for something unknown.
MUST_CHECK Status model_document_write(const char* template_text, TextBuffer* out);
