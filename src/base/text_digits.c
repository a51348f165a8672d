// The digits of doubles that are neither huge nor tiny, in whole numbers of 128 bits. With value =
// m 2^e, m < 2^53, the number value 10^k = m 5^k / 2^-(e+k) has 17 digits before its point for one
// k; for those in question m 5^k fits into 128 bits, so that nothing but the digits is rounded. A
// text reads back as the same double if it is nearer than half the distance to the next one, 5^k /
// 2 in units of m 5^k; below a power of two a quarter. 5^k is odd: there are no ties.
#include "base/text_digits.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 Wide;

static const double SMALLEST = DBL_EPSILON;  // k <= 32, 5^32 < 2^75
static const double LARGEST = 1e15;          // k >= 2, e + k < 0
static const uint64_t SEVENTEEN_DIGITS = 10000000000000000u;

typedef struct Scaled {
    uint64_t m;
    Wide product, five;  // m 5^k, 5^k
    int shift;           // -(e + k)
    int exponent;        // of ten, of the first digit
} Scaled;

static Scaled scale(double size) {
    int binary = 0;
    Scaled s = {.m = (uint64_t)ldexp(frexp(size, &binary), DBL_MANT_DIG), .five = 1};
    s.exponent = (int)floor((binary - 1) * 0.30102999566398120) + 1;  // or one too much
    int k = DBL_DECIMAL_DIG - 1 - s.exponent;
    for (int i = 0; i < k; i++) {
        s.five *= 5;
    }
    s.product = s.m * s.five;
    s.shift = DBL_MANT_DIG - binary - k;
    if (s.product >> s.shift < SEVENTEEN_DIGITS) {
        s.exponent--;
        s.five *= 5;
        s.product *= 5;
        s.shift--;
    }
    return s;
}

// The digits without the last ones, rounded as printf does; are they enough? last: 100, 10 or 1
static bool round_off(const Scaled* s, uint64_t last, uint64_t* digits) {
    const Wide unit = (Wide)last << s->shift;
    *digits = (uint64_t)(s->product >> s->shift) / last;
    const Wide rest = s->product - *digits * unit;
    const bool up = 2 * rest > unit || (2 * rest == unit && *digits % 2 == 1);
    *digits += up;
    const bool is_power_of_two = s->m == (uint64_t)1 << (DBL_MANT_DIG - 1);
    const Wide error = up ? unit - rest : rest;
    return last == 1 || (!up && is_power_of_two ? 4 : 2) * error < s->five;
}

// As %g: with an exponent where there would be more than three zeros behind the point
static void write_digits(uint64_t digits, int exponent, char* at) {
    char reversed[DBL_DECIMAL_DIG + 1];
    int n = 0;
    while (digits % 10 == 0) {
        digits /= 10;
    }
    do {
        reversed[n++] = (char)('0' + digits % 10);
        digits /= 10;
    } while (digits > 0);
    const int point = exponent < -4 ? 1 : exponent + 1;  // so many digits before it
    if (point <= 0) {
        *at++ = '0';
        *at++ = '.';
    }
    for (int i = point; i < 0; i++) {
        *at++ = '0';
    }
    for (int i = 0; i < n || i < point; i++) {
        if (i == point && point > 0) {
            *at++ = '.';
        }
        *at++ = i < n ? reversed[n - 1 - i] : '0';
    }
    if (exponent < -4) {
        *at++ = 'e';
        *at++ = '-';
        *at++ = (char)('0' + -exponent / 10);
        *at++ = (char)('0' + -exponent % 10);
    }
    *at = 0;
}

bool text_write_digits(double size, char* text) {
    if (!(size >= SMALLEST && size < LARGEST)) {
        return false;
    }
    const Scaled s = scale(size);
    uint64_t digits = 0, last = 100;
    while (!round_off(&s, last, &digits)) {
        last /= 10;
    }
    const bool carried = digits == 10 * SEVENTEEN_DIGITS / last;  // 9.99 to 10.0
    write_digits(digits, s.exponent + carried, text);
    return true;
}
