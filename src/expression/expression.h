// Arithmetic expressions of user files: constants, named symbols and time, compiled once to a small
// stack program and evaluated with its exact first three time derivatives (truncated Taylor
// arithmetic, no finite differences). With a symbol x for which x' = 1, they are those in x.
//
// Grammar: + - * / ^ (right associative, binds tighter than unary minus: -2^2 = -4), parentheses,
// numbers, pi, e, t (if allowed), symbols, and the functions
//   sin cos tan asin acos atan atan2(y,x) sinh cosh tanh exp log log10 sqrt abs sign
//   min(a,b) max(a,b) step(x) (0 for x < 0, else 1) and if(condition, a, b) with the comparisons
//   < <= > >= == != and the connectives and, or, not inside the condition, and tables by name.
// Derivatives of abs, sign, min, max, step and if are those of the branch taken: abs takes x at 0,
// min and max take a when a == b; of tables see table.h.
// Names are a letter, then letters, digits, underscores and points (ASCII), with indices in
// brackets behind any of their parts, which are the affair of whoever finds the symbol. pi, e, and
// t where it is allowed come before symbols of that name; if, and, or, not are never symbols.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/suggest.h"

typedef struct Expression Expression;  // immutable after compilation, holds no pointers to symbols
typedef struct Table Table;            // a function of one argument, see table.h

enum { EXPRESSION_LENGTH = 4096, EXPRESSION_NESTING = 64 };  // the most that is compiled

// A value with its first three time derivatives.
typedef struct Jet {
    double v, d, dd, ddd;
} Jet;

// Resolves a name (not 0-terminated: n characters) to a slot >= 0, or -1 if there is no such
// symbol.
typedef struct SymbolTable {
    const void* context;
    int (*find)(const void* context, const char* name, int n);  // NULL: there are no symbols
    bool allow_time;                                            // is t a symbol?
    // Finds a name that stands for a number, before find is asked. NULL: there is none.
    bool (*constant)(const void* context, const char* name, int n, double* value);
    // Says in text (of size) why a name that find did not find is none; false if there is nothing
    // to say but that it is unknown. NULL: there never is.
    bool (*explain)(const void* context, const char* name, int n, char* text, size_t size);
    // The table that can be called by a name, or NULL; it must outlive the expression. NULL: there
    // are no tables.
    const Table* (*find_table)(const void* context, const char* name, int n);
    // Says why a name that is called is no function, or considers the names of tables for what was
    // written and returns false. NULL: there is nothing to say.
    bool (*explain_call)(const void* context, const char* written, Suggestion* suggestion,
                         char* text, size_t size);
} SymbolTable;

// One call of a table.
typedef struct TableUse {
    const Table* table;
    int at;                       // index of the name in the text
    bool of_time;                 // does the argument use t?
    int first_symbol, n_symbols;  // those that it uses, for expression_symbol
} TableUse;

typedef struct ExpressionError {
    int at;             // index of the offending character (byte) in the text
    char message[240];  // what is wrong and what was expected
} ExpressionError;

// Compiles text; NULL and *error on failure. Limits: 4096 characters, nesting 64 (parentheses,
// function calls, powers of powers, not). Memory comes from the arena, no more than is needed.
const Expression* expression_compile(const char* text, const SymbolTable* symbols, Arena* arena,
                                     ExpressionError* error);

// True if the program reads neither time nor any symbol.
bool expression_is_constant(const Expression* expression);
bool expression_uses_time(const Expression* expression);
// The slot that the i-th use of a symbol reads (a symbol may be used often); -1 if there are no
// more.
int expression_symbol(const Expression* expression, int i);
// The i-th call of a table; NULL if there are no more.
const TableUse* expression_table(const Expression* expression, int i);
// The name of a table in it that has no values beyond its rows; NULL if there is none.
const char* expression_ending_table(const Expression* expression);
// Is there a function of that name in every expression?
bool expression_has_function(const char* name);

// A copy that takes the symbols from slot n_free on as numbers, which are 0 until they are set: the
// symbol in slot n_free + i is values[i]. expression_symbol still tells of them. NULL: no memory.
const Expression* expression_bind(const Expression* source, int n_free, Arena* arena);
// Not while it is evaluated elsewhere; does nothing to others.
void expression_set_bound(const Expression* expression, const double* values);

// Value alone, symbols[slot] being the values. Domain errors give NaN or infinity, as in C.
double expression_value(const Expression* expression, double t, const double* symbols);
// Value (the same, bit for bit) and derivatives; symbols[slot] carry their own time derivatives.
// What is computed from constants and from symbols with zero derivatives only has zero derivatives,
// also where the function has none (sqrt at 0); elsewhere such a point gives NaN or infinity.
Jet expression_jet(const Expression* expression, double t, const Jet* symbols);
