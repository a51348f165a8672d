// What the grammar of expressions is built on: reading signs and names, messages, emitting code.
#include "expression/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Kind parser_fail(Parser* parser, int at, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    parser->error->at = at;
    (void)vsnprintf(parser->error->message, sizeof parser->error->message, format, arguments);
    va_end(arguments);
    return KIND_NONE;
}

Kind parser_fail_expected(Parser* parser, const char* expected) {
    const char c = parser->text[parser->at];
    if (c == 0) {
        return parser_fail(parser, parser->at, "expected %s, but the expression ends", expected);
    }
    if (c < ' ' || c > '~') {
        return parser_fail(parser, parser->at, "expected %s, not byte 0x%02x", expected,
                           (unsigned char)c);
    }
    return parser_fail(parser, parser->at, "expected %s, not '%c'", expected, c);
}

void parser_skip_space(Parser* parser) {
    while (parser->text[parser->at] != 0 && strchr(" \t\r\n", parser->text[parser->at]) != NULL) {
        parser->at++;
    }
}

bool parser_is_digit(char c) { return c >= '0' && c <= '9'; }

bool parser_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int parser_name_length(const char* text) {
    int n = 0;
    if (parser_is_letter(text[0])) {
        while (parser_is_letter(text[n]) || parser_is_digit(text[n]) || text[n] == '_' ||
               text[n] == '.') {
            n++;
        }
    }
    return n;
}

// Length of what stands in brackets at a place of the text, with them; 0 if they are not closed.
static int bracket_length(const char* text) {
    int depth = 0;
    int n = 0;
    do {
        depth += (text[n] == '[') - (text[n] == ']');
        n++;
    } while (depth > 0 && text[n] != 0);
    return depth == 0 ? n : 0;
}

int parser_symbol_length(const char* text) {
    int n = parser_name_length(text);
    while (n > 0 && text[n] == '[' && bracket_length(text + n) > 0) {
        n += bracket_length(text + n);
        if (text[n] == '.') {
            n += 1 + parser_name_length(text + n + 1);
        }
    }
    return n;
}

bool parser_is_word(const char* name, int n, const char* word) {
    return strlen(word) == (size_t)n && memcmp(name, word, (size_t)n) == 0;
}

bool parser_accept(Parser* parser, const char* sign) {
    const char* here = parser->text + parser->at;
    const int n = (int)strlen(sign);
    const bool there = parser_is_letter(sign[0])
                           ? parser_is_word(here, parser_name_length(here), sign)
                           : strncmp(here, sign, (size_t)n) == 0;
    if (there) {
        parser->at += n;
        parser_skip_space(parser);
    }
    return there;
}

bool parser_emit(Parser* parser, Opcode op, int operand, int effect) {
    parser->n_stack += effect;
    if (parser->n_stack > PROGRAM_STACK || parser->n_code >= parser->n) {
        (void)parser_fail(parser, parser->at,
                          "the expression holds more than %d intermediate values here",
                          PROGRAM_STACK);
        return false;
    }
    parser->code[parser->n_code++] = (Instruction){op, operand};
    return true;
}

bool parser_enter(Parser* parser, int at) {
    if (++parser->nesting > EXPRESSION_NESTING) {
        (void)parser_fail(parser, at, "nested more than %d deep here", EXPRESSION_NESTING);
        return false;
    }
    return true;
}

bool parser_push_constant(Parser* parser, double value) {
    if (!parser_emit(parser, OP_CONSTANT, parser->n_constants, 1)) {
        return false;
    }
    parser->constants[parser->n_constants++] = value;
    return true;
}
