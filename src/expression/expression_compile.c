// Compiles the text of an expression to a stack program: a recursive-descent parser that emits code
// as it reads and tracks how many values the program holds at each point.
//
//   binary  = prefix { operator binary }        by precedence: or, and, comparison, + -, * /
//   prefix  = "not" binary | signed
//   signed  = { "-" | "+" } primary [ "^" signed ]
//   primary = number | name | name "(" arguments ")" | "(" binary ")"
//
// Numbers and truth values are two kinds; mixing them is an error of the text, not a conversion.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "expression/expression.h"
#include "expression/parser.h"
#include "expression/program.h"
#include "expression/table.h"

enum { SHOWN = 40 };  // characters of a name in a message

typedef struct Operator {
    const char* sign;
    int level;  // precedence
    Opcode op;
    Kind operands, result;
} Operator;

enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_COMPARE, LEVEL_ADD, LEVEL_MULTIPLY };

// Longer signs before their beginnings.
static const Operator operators[] = {
    {"or", LEVEL_OR, OP_OR, KIND_TRUTH, KIND_TRUTH},
    {"and", LEVEL_AND, OP_AND, KIND_TRUTH, KIND_TRUTH},
    {"<=", LEVEL_COMPARE, OP_LESS_EQUAL, KIND_NUMBER, KIND_TRUTH},
    {">=", LEVEL_COMPARE, OP_GREATER_EQUAL, KIND_NUMBER, KIND_TRUTH},
    {"==", LEVEL_COMPARE, OP_EQUAL, KIND_NUMBER, KIND_TRUTH},
    {"!=", LEVEL_COMPARE, OP_NOT_EQUAL, KIND_NUMBER, KIND_TRUTH},
    {"<", LEVEL_COMPARE, OP_LESS, KIND_NUMBER, KIND_TRUTH},
    {">", LEVEL_COMPARE, OP_GREATER, KIND_NUMBER, KIND_TRUTH},
    {"+", LEVEL_ADD, OP_ADD, KIND_NUMBER, KIND_NUMBER},
    {"-", LEVEL_ADD, OP_SUBTRACT, KIND_NUMBER, KIND_NUMBER},
    {"*", LEVEL_MULTIPLY, OP_MULTIPLY, KIND_NUMBER, KIND_NUMBER},
    {"/", LEVEL_MULTIPLY, OP_DIVIDE, KIND_NUMBER, KIND_NUMBER},
};

static Kind parse_binary(Parser* parser, int level);

// Checks that what was parsed from at on is of the kind needed.
static bool check_kind(Parser* parser, int at, Kind kind, Kind needed) {
    if (kind != KIND_NONE && kind != needed) {
        (void)parser_fail(parser, at,
                          needed == KIND_NUMBER
                              ? "expected a number here, not a comparison or condition"
                              : "expected a comparison such as x > 0 here, not a number");
    }
    return kind == needed;
}

// One argument or operand of the kind needed.
static bool parse_kind(Parser* parser, int level, Kind needed) {
    const int at = parser->at;
    return check_kind(parser, at, parse_binary(parser, level), needed);
}

static Kind parse_number(Parser* parser) {
    const char* here = parser->text + parser->at;
    double value = 0;
    const char* end = text_to_double(here, &value);
    if (end == NULL) {
        return parser_fail_expected(parser, "a number");
    }
    if (!isfinite(value)) {
        return parser_fail(parser, parser->at,
                           "expected a number below 1.8e308, which this is not");
    }
    if (!parser_push_constant(parser, value)) {
        return KIND_NONE;
    }
    parser->at += (int)(end - here);
    if (parser_is_letter(*end) || *end == '_' || *end == '.') {
        return parser_fail_expected(parser, "an operator such as * after the number");
    }
    return KIND_NUMBER;
}

static Kind parse_symbol(Parser* parser, const char* name, int n) {
    const int at = (int)(name - parser->text);
    const SymbolTable* symbols = parser->symbols;
    if (parser_is_word(name, n, "pi")) {
        return parser_push_constant(parser, 3.14159265358979323846) ? KIND_NUMBER : KIND_NONE;
    }
    if (parser_is_word(name, n, "e")) {
        return parser_push_constant(parser, 2.71828182845904523536) ? KIND_NUMBER : KIND_NONE;
    }
    if (parser_is_word(name, n, "t") && symbols->allow_time) {
        parser->uses_time = true;
        return parser_emit(parser, OP_TIME, 0, 1) ? KIND_NUMBER : KIND_NONE;
    }
    double value;
    if (symbols->constant != NULL && symbols->constant(symbols->context, name, n, &value)) {
        return parser_push_constant(parser, value) ? KIND_NUMBER : KIND_NONE;
    }
    const int slot = symbols->find == NULL ? -1 : symbols->find(symbols->context, name, n);
    if (slot >= 0) {
        if (!parser_emit(parser, OP_SYMBOL, slot, 1)) {
            return KIND_NONE;
        }
        parser->slots[parser->n_slots++] = slot;
        return KIND_NUMBER;
    }
    if (parser_is_word(name, n, "t")) {
        return parser_fail(parser, at,
                           "time t cannot be used here, expected a constant expression");
    }
    char reason[sizeof parser->error->message];
    if (symbols->explain != NULL &&
        symbols->explain(symbols->context, name, n, reason, sizeof reason)) {
        return parser_fail(parser, at, "%s", reason);
    }
    for (int i = 0; i < PROGRAM_FUNCTIONS; i++) {
        if (parser_is_word(name, n, program_functions[i].name)) {
            return parser_fail(parser, at, "'%.*s' is a function, expected '(' after it", n, name);
        }
    }
    return parser_fail(parser, at, "unknown name '%.*s', expected pi, e%s or a name defined before",
                       n < SHOWN ? n : SHOWN, name, symbols->allow_time ? ", t" : "");
}

static bool expect_close(Parser* parser, int opened) {
    if (!parser_accept(parser, ")")) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "an operator or ')' for the '(' at character %d",
                       opened + 1);
        (void)parser_fail_expected(parser, expected);
        return false;
    }
    return true;
}

// if(condition, a, b), after the '('.
static Kind parse_if(Parser* parser, int opened) {
    static const char comma[] = "',' (if takes a condition and 2 values)";
    if (!parse_kind(parser, LEVEL_OR, KIND_TRUTH)) {
        return KIND_NONE;
    }
    const int jump_to_else = parser->n_code;
    if (!parser_emit(parser, OP_JUMP_IF_FALSE, 0, -1)) {
        return KIND_NONE;
    }
    if (!parser_accept(parser, ",")) {
        return parser_fail_expected(parser, comma);
    }
    if (!parse_kind(parser, LEVEL_OR, KIND_NUMBER)) {
        return KIND_NONE;
    }
    const int jump_to_end = parser->n_code;
    if (!parser_emit(parser, OP_JUMP, 0, -1)) {  // only one of the two values is ever there
        return KIND_NONE;
    }
    parser->code[jump_to_else].operand = parser->n_code;
    if (!parser_accept(parser, ",")) {
        return parser_fail_expected(parser, comma);
    }
    if (!parse_kind(parser, LEVEL_OR, KIND_NUMBER) || !expect_close(parser, opened)) {
        return KIND_NONE;
    }
    parser->code[jump_to_end].operand = parser->n_code;
    return KIND_NUMBER;
}

// What is called: a function or a table.
typedef struct Callee {
    const char* name;
    int n_arguments;
    Opcode op;
    int operand;
} Callee;

// The arguments, after the '('.
static Kind parse_arguments(Parser* parser, Callee callee, int opened) {
    for (int i = 0; i < callee.n_arguments; i++) {
        if (i > 0 && !parser_accept(parser, ",")) {
            return parser_fail(parser, parser->at, "expected ',' here: %.*s takes %d arguments",
                               SHOWN, callee.name, callee.n_arguments);
        }
        if (!parse_kind(parser, LEVEL_OR, KIND_NUMBER)) {
            return KIND_NONE;
        }
    }
    if (parser->text[parser->at] == ',') {
        return parser_fail(parser, parser->at, "expected ')' here: %.*s takes %d argument%s", SHOWN,
                           callee.name, callee.n_arguments, callee.n_arguments == 1 ? "" : "s");
    }
    const bool emitted = expect_close(parser, opened) &&
                         parser_emit(parser, callee.op, callee.operand, 1 - callee.n_arguments);
    return emitted ? KIND_NUMBER : KIND_NONE;
}

// A call of a table, whose name is at a place of the text, after the '('.
static Kind parse_table(Parser* parser, const Table* table, int at, int opened) {
    const bool uses_time = parser->uses_time;
    const int use = parser->n_tables++;
    parser->tables[use] = (TableUse){.table = table, .at = at, .first_symbol = parser->n_slots};
    parser->uses_time = false;
    const Kind kind = parse_arguments(parser, (Callee){table->name, 1, OP_TABLE, use}, opened);
    parser->tables[use].of_time = parser->uses_time;
    parser->tables[use].n_symbols = parser->n_slots - parser->tables[use].first_symbol;
    parser->uses_time = parser->uses_time || uses_time;
    return kind;
}

static Kind unknown_function(Parser* parser, const char* name, int n) {
    char written[SHOWN + 1] = "";
    char words[SUGGEST_WORDS];
    Suggestion suggestion = {0};
    const SymbolTable* symbols = parser->symbols;
    char reason[sizeof parser->error->message];
    memcpy(written, name, (size_t)(n < SHOWN ? n : SHOWN));
    if (symbols->explain_call != NULL &&
        symbols->explain_call(symbols->context, written, &suggestion, reason, sizeof reason)) {
        return parser_fail(parser, (int)(name - parser->text), "%s", reason);
    }
    for (int i = 0; i < PROGRAM_FUNCTIONS; i++) {
        suggest_consider(&suggestion, written, program_functions[i].name);
    }
    return parser_fail(
        parser, (int)(name - parser->text),
        "unknown function '%s', expected sin, cos, sqrt, min, if or another of the list%s", written,
        suggest_words(&suggestion, words));
}

static Kind parse_call(Parser* parser, const char* name, int n) {
    const int opened = parser->at;
    if (!parser_enter(parser, opened)) {
        return KIND_NONE;
    }
    Kind kind = KIND_NONE;
    const SymbolTable* symbols = parser->symbols;
    (void)parser_accept(parser, "(");
    const Table* table =
        symbols->find_table != NULL ? symbols->find_table(symbols->context, name, n) : NULL;
    int index = 0;
    while (index < PROGRAM_FUNCTIONS && !parser_is_word(name, n, program_functions[index].name)) {
        index++;
    }
    if (parser_is_word(name, n, "if")) {
        kind = parse_if(parser, opened);
    } else if (index < PROGRAM_FUNCTIONS) {
        const Function* function = &program_functions[index];
        kind = parse_arguments(
            parser, (Callee){function->name, function->n_arguments, function->op, index}, opened);
    } else if (table != NULL) {
        kind = parse_table(parser, table, (int)(name - parser->text), opened);
    } else {
        kind = unknown_function(parser, name, n);
    }
    parser->nesting--;
    return kind;
}

static Kind parse_name(Parser* parser, int n) {
    const char* name = parser->text + parser->at;
    if (parser_is_word(name, n, "and") || parser_is_word(name, n, "or") ||
        parser_is_word(name, n, "not")) {
        return parser_fail(parser, parser->at, "expected a number, a name or '(', not '%.*s'", n,
                           name);
    }
    parser->at += n;
    parser_skip_space(parser);
    if (parser->text[parser->at] == '(') {
        return parse_call(parser, name, n);
    }
    if (parser_is_word(name, n, "if")) {
        return parser_fail_expected(parser, "'(' after if");
    }
    return parse_symbol(parser, name, n);
}

static Kind parse_primary(Parser* parser) {
    const char* here = parser->text + parser->at;
    const int opened = parser->at;
    Kind kind = KIND_NONE;
    if (parser_is_digit(here[0]) || (here[0] == '.' && parser_is_digit(here[1]))) {
        kind = parse_number(parser);
    } else if (parser_name_length(here) > 0) {
        kind = parse_name(parser, parser_symbol_length(here));
    } else if (parser_accept(parser, "(")) {
        if (!parser_enter(parser, opened)) {
            return KIND_NONE;
        }
        kind = parse_binary(parser, LEVEL_OR);
        if (kind != KIND_NONE && !expect_close(parser, opened)) {
            return KIND_NONE;
        }
        parser->nesting--;
    } else {
        return parser_fail_expected(parser, "a number, a name or '('");
    }
    parser_skip_space(parser);
    return kind;
}

// Signs bind looser than ^ on their right but may begin an exponent: -2^-2 is -(2^(-2)).
static Kind parse_signed(Parser* parser) {
    bool negate = false, any = false;
    int at = parser->at;
    while (parser->text[at] == '-' || parser->text[at] == '+') {
        negate ^= parser->text[at] == '-';
        any = true;
        parser->at++;
        parser_skip_space(parser);
        at = parser->at;
    }
    Kind kind = parse_primary(parser);
    const int caret = parser->at;
    if (kind != KIND_NONE && parser_accept(parser, "^")) {
        if (!check_kind(parser, at, kind, KIND_NUMBER) || !parser_enter(parser, caret)) {
            return KIND_NONE;
        }
        const int exponent = parser->at;
        kind = parse_signed(parser);
        if (!check_kind(parser, exponent, kind, KIND_NUMBER) ||
            !parser_emit(parser, OP_POWER, 0, -1)) {
            return KIND_NONE;
        }
        parser->nesting--;
    }
    if (any && !check_kind(parser, at, kind, KIND_NUMBER)) {
        return KIND_NONE;
    }
    return negate && !parser_emit(parser, OP_NEGATE, 0, 0) ? KIND_NONE : kind;
}

static Kind parse_prefix(Parser* parser) {
    const int at = parser->at;
    if (!parser_accept(parser, "not")) {
        return parse_signed(parser);
    }
    if (!parser_enter(parser, at) || !parse_kind(parser, LEVEL_COMPARE, KIND_TRUTH) ||
        !parser_emit(parser, OP_NOT, 0, 0)) {
        return KIND_NONE;
    }
    parser->nesting--;
    return KIND_TRUTH;
}

// Takes the operator at the next character if its precedence is at least level.
static const Operator* accept_operator(Parser* parser, int level) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (operators[i].level >= level && parser_accept(parser, operators[i].sign)) {
            return &operators[i];
        }
    }
    return NULL;
}

static Kind parse_binary(Parser* parser, int level) {
    const int at = parser->at;
    Kind kind = parse_prefix(parser);
    const Operator* found = NULL;
    while (kind != KIND_NONE && (found = accept_operator(parser, level)) != NULL) {
        if (!check_kind(parser, at, kind, found->operands) ||
            !parse_kind(parser, found->level + 1, found->operands) ||
            !parser_emit(parser, found->op, 0, -1)) {
            return KIND_NONE;
        }
        kind = found->result;
    }
    return kind;
}

// The whole text, which must be one number-valued expression.
static bool parse_text(Parser* parser) {
    parser_skip_space(parser);
    if (!parse_kind(parser, LEVEL_OR, KIND_NUMBER)) {
        return false;
    }
    if (parser->at < parser->n) {
        (void)parser_fail_expected(parser, "an operator or the end of the expression");
        return false;
    }
    return true;
}

// What was parsed, in memory of its own that is no larger than it.
static const Expression* keep(const Parser* parser, Arena* arena) {
    Expression* expression = ARENA_NEW(arena, 1, Expression);
    Instruction* code = ARENA_NEW(arena, parser->n_code, Instruction);
    double* constants = ARENA_NEW(arena, parser->n_constants, double);
    int* slots = ARENA_NEW(arena, parser->n_slots, int);
    TableUse* tables = ARENA_NEW(arena, parser->n_tables, TableUse);
    if (expression == NULL || code == NULL || constants == NULL || slots == NULL ||
        tables == NULL) {
        return NULL;
    }
    memcpy(code, parser->code, (size_t)parser->n_code * sizeof *code);
    memcpy(constants, parser->constants, (size_t)parser->n_constants * sizeof *constants);
    memcpy(slots, parser->slots, (size_t)parser->n_slots * sizeof *slots);
    memcpy(tables, parser->tables, (size_t)parser->n_tables * sizeof *tables);
    *expression = (Expression){
        .code = code,
        .constants = constants,
        .symbols = slots,
        .tables = tables,
        .n_code = parser->n_code,
        .n_symbols = parser->n_slots,
        .n_tables = parser->n_tables,
        .uses_time = parser->uses_time,
    };
    return expression;
}

// Parses with room for the most that there can be, which is given back.
static const Expression* compile(Parser* parser, Arena* arena) {
    Arena room = {0};
    const Expression* expression = NULL;
    parser->code = ARENA_NEW(&room, parser->n, Instruction);
    parser->constants = ARENA_NEW(&room, parser->n, double);
    parser->slots = ARENA_NEW(&room, parser->n, int);
    parser->tables = ARENA_NEW(&room, parser->n / TABLE_CALL + 1, TableUse);
    const bool parsed = !room.exhausted && parse_text(parser);
    if (parsed) {
        expression = keep(parser, arena);
    }
    if (room.exhausted || (parsed && expression == NULL)) {
        arena->exhausted = true;
        (void)parser_fail(parser, 0, "out of memory");
    }
    arena_free(&room);
    return expression;
}

const Expression* expression_compile(const char* text, const SymbolTable* symbols, Arena* arena,
                                     ExpressionError* error) {
    static const SymbolTable no_symbols = {0};
    Parser parser = {
        .text = text, .symbols = symbols != NULL ? symbols : &no_symbols, .error = error};
    *error = (ExpressionError){0};
    while (parser.n <= EXPRESSION_LENGTH && text[parser.n] != 0) {
        parser.n++;
    }
    if (parser.n > EXPRESSION_LENGTH) {
        (void)parser_fail(&parser, EXPRESSION_LENGTH,
                          "expected an expression of at most %d characters", EXPRESSION_LENGTH);
        return NULL;
    }
    return compile(&parser, arena);
}
