// Symbols that are numbers until others are set: their instructions become those of constants, each
// use having one of its own behind those of the text.
#include <string.h>

#include "expression/program.h"

static int constant_count(const Expression* expression) {
    int n = 0;
    for (int i = 0; i < expression->n_code; i++) {
        const Instruction now = expression->code[i];
        n = now.op == OP_CONSTANT && now.operand >= n ? now.operand + 1 : n;
    }
    return n;
}

const Expression* expression_bind(const Expression* source, int n_free, Arena* arena) {
    const int n_constants = constant_count(source);
    Expression* bound = ARENA_NEW(arena, 1, Expression);
    Instruction* code = ARENA_NEW(arena, source->n_code, Instruction);
    double* constants = ARENA_NEW(arena, n_constants + source->n_symbols, double);
    int* slots = ARENA_NEW(arena, source->n_symbols, int);
    if (bound == NULL || code == NULL || constants == NULL || slots == NULL) {
        return NULL;
    }
    int n = 0;
    memcpy(code, source->code, (size_t)source->n_code * sizeof *code);
    memcpy(constants, source->constants, (size_t)n_constants * sizeof *constants);
    for (int i = 0; i < source->n_code; i++) {
        if (code[i].op == OP_SYMBOL && code[i].operand >= n_free) {
            slots[n] = code[i].operand - n_free;
            code[i] = (Instruction){.op = OP_CONSTANT, .operand = n_constants + n};
            n++;
        }
    }
    *bound = *source;
    bound->code = code;
    bound->constants = constants;
    bound->bound = constants + n_constants;
    bound->bound_slots = slots;
    bound->n_bound = n;
    return bound;
}

void expression_set_bound(const Expression* expression, const double* values) {
    for (int i = 0; i < expression->n_bound; i++) {
        expression->bound[i] = values[expression->bound_slots[i]];
    }
}
