// Runs the stack program of an expression, with values alone or with derivatives. Truth values are
// 1 and 0 on the same stack. The compiler bounds the stack, and jumps only lead forward, so that
// there is nothing to check and no way not to end.
#include <math.h>
#include <string.h>

#include "expression/expression.h"
#include "expression/jet.h"
#include "expression/program.h"
#include "expression/table.h"

static double sign_value(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }  // keeps NaN

static double step_value(double x) { return x < 0 ? 0 : x >= 0 ? 1 : x; }  // likewise

const Function program_functions[PROGRAM_FUNCTIONS] = {
    {"sin", 1, OP_CALL, sin, jet_sin},       {"cos", 1, OP_CALL, cos, jet_cos},
    {"tan", 1, OP_CALL, tan, jet_tan},       {"asin", 1, OP_CALL, asin, jet_asin},
    {"acos", 1, OP_CALL, acos, jet_acos},    {"atan", 1, OP_CALL, atan, jet_atan},
    {"atan2", 2, OP_ATAN2, NULL, NULL},      {"sinh", 1, OP_CALL, sinh, jet_sinh},
    {"cosh", 1, OP_CALL, cosh, jet_cosh},    {"tanh", 1, OP_CALL, tanh, jet_tanh},
    {"exp", 1, OP_CALL, exp, jet_exp},       {"log", 1, OP_CALL, log, jet_log},
    {"log10", 1, OP_CALL, log10, jet_log10}, {"sqrt", 1, OP_CALL, sqrt, jet_sqrt},
    {"abs", 1, OP_CALL, fabs, jet_abs},      {"sign", 1, OP_CALL, sign_value, NULL},
    {"step", 1, OP_CALL, step_value, NULL},  {"min", 2, OP_MIN, NULL, NULL},
    {"max", 2, OP_MAX, NULL, NULL},
};

bool expression_is_constant(const Expression* expression) {
    return !expression->uses_time && expression->n_symbols == 0;
}

bool expression_uses_time(const Expression* expression) { return expression->uses_time; }

int expression_symbol(const Expression* expression, int i) {
    return i < expression->n_symbols ? expression->symbols[i] : -1;
}

const TableUse* expression_table(const Expression* expression, int i) {
    return i < expression->n_tables ? &expression->tables[i] : NULL;
}

const char* expression_ending_table(const Expression* expression) {
    for (int i = 0; i < expression->n_tables; i++) {
        if (expression->tables[i].table->beyond == BEYOND_ERROR) {
            return expression->tables[i].table->name;
        }
    }
    return NULL;
}

bool expression_has_function(const char* name) {
    bool found = strcmp(name, "if") == 0;
    for (int i = 0; i < PROGRAM_FUNCTIONS; i++) {
        found = found || strcmp(name, program_functions[i].name) == 0;
    }
    return found;
}

// Does min or max take its first argument? NaN wins from either side.
static bool takes_first(Opcode op, double a, double b) {
    return isnan(a) || (op == OP_MIN ? a <= b : a >= b);
}

static bool truth(Opcode op, double a, double b) {
    switch (op) {
        case OP_LESS:
            return a < b;
        case OP_LESS_EQUAL:
            return a <= b;
        case OP_GREATER:
            return a > b;
        case OP_GREATER_EQUAL:
            return a >= b;
        case OP_EQUAL:
            return a == b;
        case OP_NOT_EQUAL:
            return a != b;
        case OP_AND:
            return a != 0 && b != 0;
        default:
            return a != 0 || b != 0;
    }
}

static double binary_value(Opcode op, double a, double b) {
    switch (op) {
        case OP_ADD:
            return a + b;
        case OP_SUBTRACT:
            return a - b;
        case OP_MULTIPLY:
            return a * b;
        case OP_DIVIDE:
            return a / b;
        case OP_POWER:
            return pow(a, b);
        case OP_ATAN2:
            return atan2(a, b);
        case OP_MIN:
        case OP_MAX:
            return takes_first(op, a, b) ? a : b;
        default:
            return truth(op, a, b);
    }
}

// The analyzer cannot know that the compiler let no instruction take a value that was not put.
// NOLINTBEGIN(clang-analyzer-core.*)
double expression_value(const Expression* expression, double t, const double* symbols) {
    double stack[PROGRAM_STACK];
    double* top = stack;  // the first free place
    for (int i = 0; i < expression->n_code; i++) {
        const Instruction now = expression->code[i];
        switch (now.op) {
            case OP_CONSTANT:
                *top++ = expression->constants[now.operand];
                break;
            case OP_SYMBOL:
                *top++ = symbols[now.operand];
                break;
            case OP_TIME:
                *top++ = t;
                break;
            case OP_NEGATE:
                top[-1] = -top[-1];
                break;
            case OP_NOT:
                top[-1] = top[-1] == 0;
                break;
            case OP_CALL:
                top[-1] = program_functions[now.operand].value(top[-1]);
                break;
            case OP_TABLE:
                top[-1] = table_at(expression->tables[now.operand].table, top[-1]).v;
                break;
            case OP_JUMP:
                i = now.operand - 1;
                break;
            case OP_JUMP_IF_FALSE:
                top--;
                i = *top == 0 ? now.operand - 1 : i;
                break;
            default:
                top--;
                top[-1] = binary_value(now.op, top[-1], top[0]);
        }
    }
    return stack[0];
}
// NOLINTEND(clang-analyzer-core.*)

// A jet on the stack. What comes from constants alone is constant, whatever the chain rule would
// make of it: 0 * infinity for sqrt(0).
typedef struct Term {
    Jet x;
    bool constant;
} Term;

static Term fixed(double value) { return (Term){{value, 0, 0, 0}, true}; }

static Term call_term(const Function* function, Term a) {
    if (a.constant || function->jet == NULL) {
        return fixed(function->value(a.x.v));
    }
    return (Term){function->jet(a.x), false};
}

static Term table_term(const Table* table, Term a) {
    return a.constant ? fixed(table_at(table, a.x.v).v) : (Term){table_jet(table, a.x), false};
}

static Jet binary_jet(Opcode op, Jet a, Jet b) {
    switch (op) {
        case OP_ADD:
            return jet_add(a, b);
        case OP_SUBTRACT:
            return jet_subtract(a, b);
        case OP_MULTIPLY:
            return jet_multiply(a, b);
        case OP_DIVIDE:
            return jet_divide(a, b);
        case OP_POWER:
            return jet_power(a, b);
        default:
            return jet_atan2(a, b);
    }
}

static Term binary_term(Opcode op, Term a, Term b) {
    if (op == OP_MIN || op == OP_MAX) {
        return takes_first(op, a.x.v, b.x.v) ? a : b;
    }
    if ((a.constant && b.constant) || op >= OP_LESS) {
        return fixed(binary_value(op, a.x.v, b.x.v));
    }
    return (Term){binary_jet(op, a.x, b.x), false};
}

// NOLINTBEGIN(clang-analyzer-core.*): as above
Jet expression_jet(const Expression* expression, double t, const Jet* symbols) {
    Term stack[PROGRAM_STACK];
    Term* top = stack;  // the first free place
    for (int i = 0; i < expression->n_code; i++) {
        const Instruction now = expression->code[i];
        switch (now.op) {
            case OP_CONSTANT:
                *top++ = fixed(expression->constants[now.operand]);
                break;
            case OP_SYMBOL: {
                const Jet x = symbols[now.operand];
                *top++ = (Term){x, x.d == 0 && x.dd == 0 && x.ddd == 0};
                break;
            }
            case OP_TIME:
                *top++ = (Term){{t, 1, 0, 0}, false};
                break;
            case OP_NEGATE:
                top[-1].x = jet_negate(top[-1].x);
                break;
            case OP_NOT:
                top[-1] = fixed(top[-1].x.v == 0);
                break;
            case OP_CALL:
                top[-1] = call_term(&program_functions[now.operand], top[-1]);
                break;
            case OP_TABLE:
                top[-1] = table_term(expression->tables[now.operand].table, top[-1]);
                break;
            case OP_JUMP:
                i = now.operand - 1;
                break;
            case OP_JUMP_IF_FALSE:
                top--;
                i = top->x.v == 0 ? now.operand - 1 : i;
                break;
            default:
                top--;
                top[-1] = binary_term(now.op, top[-1], top[0]);
        }
    }
    return stack[0].x;
}
// NOLINTEND(clang-analyzer-core.*)
