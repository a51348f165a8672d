// The stack program behind an Expression: private to the compiler and the evaluator.
#pragma once

#include "expression/expression.h"

typedef enum Opcode {
    // push one value
    OP_CONSTANT,  // operand: index in constants
    OP_SYMBOL,    // operand: slot
    OP_TIME,
    // replace the top value
    OP_NEGATE,
    OP_NOT,
    OP_CALL,   // operand: index in program_functions
    OP_TABLE,  // operand: index in tables
    // replace the two top values by one
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_ATAN2,
    OP_MIN,
    OP_MAX,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_AND,
    OP_OR,
    // operand: index of the next instruction
    OP_JUMP,          // leaves the stack as it is
    OP_JUMP_IF_FALSE  // takes the top value
} Opcode;

typedef struct Instruction {
    Opcode op;
    int operand;
} Instruction;

enum { PROGRAM_STACK = 256 };  // no program needs more values at once: the compiler sees to it

struct Expression {
    const Instruction* code;  // (n_code)
    const double* constants;
    const int* symbols;      // (n_symbols) slots, one for each use
    const TableUse* tables;  // (n_tables)
    int n_code, n_symbols, n_tables;
    bool uses_time;
    double* bound;           // (n_bound) those of the constants that expression_set_bound sets
    const int* bound_slots;  // (n_bound) and which of its values they are
    int n_bound;
};

// A function as users call it; value and jet are set for OP_CALL only.
typedef struct Function {
    const char* name;
    int n_arguments;
    Opcode op;
    double (*value)(double x);
    Jet (*jet)(Jet x);  // NULL: the function is piecewise constant
} Function;

enum { PROGRAM_FUNCTIONS = 19 };
extern const Function program_functions[PROGRAM_FUNCTIONS];
