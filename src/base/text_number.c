// Decimal numbers to doubles, rounded correctly, whatever the locale. The digits are written as one
// whole number with a power of ten, "31416e-4" for "3.1416": so strtod sees no decimal separator,
// which is all of a number that depends on the locale. Most numbers need no strtod: a whole number
// below 2^53 and a power of ten up to 10^22 are doubles themselves, so that one product or quotient
// of them is the nearest double (Clinger 1990).
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

enum {
    MOST_DIGITS = 800,        // no double, and no middle of two, has more; see rest
    EXACT_DIGITS = 15,        // 10^15 < 2^53
    EXACT_POWER = 22,         // 10^22 = 5^22 2^22, and 5^22 < 2^53
    MOST_EXPONENT = 1 << 24,  // beyond every double
    EXPONENT_SIZE = 16,
};

typedef struct Decimal {
    char digits[MOST_DIGITS + 1 + EXPONENT_SIZE];  // without leading zeros
    int n;
    long long exponent;  // of ten, of the last digit
    bool rest;           // a digit that was left out is not 0
} Decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char* read_digits(const char* at, bool behind_point, Decimal* d) {
    for (; is_digit(*at); at++) {
        if (d->n == MOST_DIGITS) {
            d->rest |= *at != '0';
            d->exponent += !behind_point;
            continue;
        }
        if (d->n > 0 || *at != '0') {
            d->digits[d->n++] = *at;
        }
        d->exponent -= behind_point;
    }
    return at;
}

static const char* read_exponent(const char* at, Decimal* d) {
    if (*at != 'e' && *at != 'E') {
        return at;
    }
    const char* digits = at + 1 + (at[1] == '+' || at[1] == '-');
    if (!is_digit(*digits)) {
        return at;
    }
    long long exponent = 0;
    for (; is_digit(*digits); digits++) {
        exponent = exponent > MOST_EXPONENT ? exponent : 10 * exponent + (*digits - '0');
    }
    d->exponent += at[1] == '-' ? -exponent : exponent;
    return digits;
}

static double exact_product(const Decimal* d) {
    double whole = 0, power = 1;
    for (int i = 0; i < d->n; i++) {
        whole = 10 * whole + (d->digits[i] - '0');
    }
    for (long long i = 0; i < llabs(d->exponent); i++) {
        power *= 10;
    }
    return d->exponent < 0 ? whole / power : whole * power;
}

static double value_of(Decimal* d) {
    if (d->n == 0) {
        return 0;
    }
    if (d->n <= EXACT_DIGITS && llabs(d->exponent) <= EXACT_POWER) {
        return exact_product(d);
    }
    if (d->rest) {  // between this number and the next of as many digits: that is all that matters
        d->digits[d->n++] = '1';
        d->exponent--;
    }
    const long long most = MOST_EXPONENT;
    const long long exponent = d->exponent > most    ? most
                               : d->exponent < -most ? -most
                                                     : d->exponent;
    (void)snprintf(d->digits + d->n, EXPONENT_SIZE, "e%d", (int)exponent);
    return strtod(d->digits, NULL);
}

const char* text_to_double(const char* text, double* value) {
    const char* at = text + (*text == '+' || *text == '-');
    if (!is_digit(at[0]) && !(at[0] == '.' && is_digit(at[1]))) {
        return NULL;
    }
    Decimal d;
    d.n = 0;
    d.exponent = 0;
    d.rest = false;
    at = read_digits(at, false, &d);
    if (*at == '.') {
        at = read_digits(at + 1, true, &d);
    }
    at = read_exponent(at, &d);
    const double size = value_of(&d);
    *value = *text == '-' ? -size : size;
    return at;
}
