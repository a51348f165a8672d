// The state of one compilation of an expression, and the steps that its grammar is built on:
// private to the compiler.
#pragma once

#include "expression/program.h"

typedef enum Kind { KIND_NONE, KIND_NUMBER, KIND_TRUTH } Kind;  // NONE: failed, error is set

enum { TABLE_CALL = 2 };  // characters that a call of a table begins with, at least: f(

typedef struct Parser {
    const char* text;
    int n, at;  // length, next character
    const SymbolTable* symbols;
    ExpressionError* error;
    Instruction* code;  // (n): each instruction has a character of its own that it comes from
    double* constants;  // (n)
    int* slots;         // (n) of symbols, one for each use
    TableUse* tables;   // (n/TABLE_CALL + 1)
    int n_code, n_constants, n_slots, n_tables;
    int n_stack;  // values on the stack at this point of the program
    int nesting;
    bool uses_time;
} Parser;

// Sets the error; returns KIND_NONE, for the caller to pass on.
Kind parser_fail(Parser* parser, int at, const char* format, ...) PRINTF_LIKE(3, 4);
// Says what was expected at the next character and what is there instead.
Kind parser_fail_expected(Parser* parser, const char* expected);

void parser_skip_space(Parser* parser);
bool parser_is_digit(char c);
bool parser_is_letter(char c);
// Length of the name at a place of the text; 0 if there is none.
int parser_name_length(const char* text);
// The same with the indices in brackets that belong to it: row[i].grain[2*j - 1].rim
int parser_symbol_length(const char* text);
// Is the name of n characters that word?
bool parser_is_word(const char* name, int n, const char* word);
// Takes the sign or word at the next character if it is there, and the space after it.
bool parser_accept(Parser* parser, const char* sign);

// Appends an instruction that changes the height of the stack by effect; false, with the error set,
// if that is too much.
bool parser_emit(Parser* parser, Opcode op, int operand, int effect);
bool parser_push_constant(Parser* parser, double value);
// One level of nesting more; false, with the error set, if that is too deep. The caller counts
// down.
bool parser_enter(Parser* parser, int at);
