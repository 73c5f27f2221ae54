/* SPDX-License-Identifier: MIT
 *
 * number.c: the scanner behind values.c.
 *
 * strtod and strtoull alone would accept "inf", "nan" and a leading space, follow the locale, stop
 * at the first character they dislike, and have no word for 1e3 being whole.
 */
#include "harness/experiment/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SCALE_MAX = 9999 }; /* far beyond any double; keeps sums of scales inside an int */

static const struct {
    const char *name;
    uint64_t factor;
} number_units[] = {
    {"KiB", UINT64_C(1) << 10},
    {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},
    {"TiB", UINT64_C(1) << 40},
    {"kB", 1000},
    {"MB", 1000000},
    {"GB", 1000000000},
    {"TB", 1000000000000},
    {"B", 1},
};

struct span span_of(const char *text)
{
    return (struct span){text, text + strlen(text)};
}

struct span span_trim(struct span s)
{
    while (s.at < s.end && *s.at == ' ')
        s.at++;
    while (s.end > s.at && s.end[-1] == ' ')
        s.end--;
    return s;
}

bool span_take(struct span *s, char c)
{
    return s->at < s->end && *s->at == c ? s->at++, true : false;
}

static bool number_digit(const struct span *s, size_t ahead)
{
    return (size_t)(s->end - s->at) > ahead && s->at[ahead] >= '0' && s->at[ahead] <= '9';
}

static void number_push(struct number *n, unsigned digit)
{
    const uint128 full = (uint128)UINT64_C(10000000000000) * UINT64_C(1000000000000); /* 10^25 */
    if (n->digits < full) {
        n->digits = n->digits * 10 + digit;
    } else {
        n->scale += n->scale < NUMBER_SCALE_MAX;
        n->lost |= digit != 0;
    }
}

/* Digits, with single underscores between them; returns how many there were. */
static size_t number_digits(struct number *n, struct span *s)
{
    size_t count = 0;
    while (number_digit(s, 0)) {
        number_push(n, (unsigned)(*s->at++ - '0'));
        count++;
        if (number_digit(s, 1) && *s->at == '_')
            s->at++;
    }
    return count;
}

/* A plain exponent, cut at NUMBER_SCALE_MAX. */
static bool number_exponent(int *exponent, struct span *s)
{
    if (!number_digit(s, 0))
        return false;
    for (*exponent = 0; number_digit(s, 0); s->at++)
        if (*exponent < NUMBER_SCALE_MAX)
            *exponent = *exponent * 10 + (*s->at - '0');
    if (*exponent > NUMBER_SCALE_MAX)
        *exponent = NUMBER_SCALE_MAX;
    return true;
}

/* Behind "base^". */
static bool number_power(struct number *n, struct span *s)
{
    int exponent;
    if (n->lost || n->scale || n->digits > UINT64_MAX || !number_exponent(&exponent, s))
        return false;
    n->base = (uint64_t)n->digits;
    n->digits = 1;
    for (int i = 0; i < exponent && !n->huge; i++) {
        n->digits *= n->base;
        n->huge = n->digits > UINT64_MAX;
    }
    return true;
}

/* Behind "0x". */
static bool number_hex(struct number *n, struct span *s)
{
    for (; s->at < s->end && isxdigit((unsigned char)*s->at); s->at++) {
        int c = tolower((unsigned char)*s->at);
        n->digits = n->digits * 16 + (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
        n->huge |= n->digits > UINT64_MAX;
        n->digits &= UINT64_MAX;
    }
    return true;
}

bool number_scan(struct number *n, struct span *s)
{
    *n = (struct number){.unit = 1};
    n->negative = span_take(s, '-');
    if (s->end - s->at > 2 && s->at[0] == '0' && s->at[1] == 'x' &&
        isxdigit((unsigned char)s->at[2])) {
        s->at += 2;
        return number_hex(n, s);
    }
    size_t whole = number_digits(n, s), places = 0;
    if (whole && span_take(s, '^'))
        return number_power(n, s);
    if (number_digit(s, 1) && span_take(s, '.'))
        places = number_digits(n, s);
    if (whole + places == 0 || places > NUMBER_SCALE_MAX)
        return false;
    n->scale -= (int)places;
    if (span_take(s, 'e') || span_take(s, 'E')) {
        bool minus = span_take(s, '-');
        int exponent;
        if (!minus)
            span_take(s, '+');
        if (!number_exponent(&exponent, s))
            return false;
        n->scale += minus ? -exponent : exponent;
    }
    return true;
}

static bool number_unit(struct number *n, struct span s)
{
    s = span_trim(s);
    size_t length = (size_t)(s.end - s.at);
    for (size_t i = 0; i < sizeof number_units / sizeof *number_units; i++)
        if (length == strlen(number_units[i].name) && !memcmp(s.at, number_units[i].name, length))
            return n->unit = number_units[i].factor, true;
    return false;
}

bool number_scan_all(struct number *n, struct span s, bool units)
{
    s = span_trim(s);
    if (!number_scan(n, &s))
        return false;
    return s.at == s.end || (units && n->base == 0 && number_unit(n, s));
}

enum whole number_whole(uint64_t *value, const struct number *n)
{
    uint128 v = n->digits * n->unit;
    if (n->huge || (n->lost && n->scale > 0))
        return WHOLE_HUGE;
    if (n->lost) /* what was lost stands behind the decimal point */
        return WHOLE_FRACTION;
    for (int i = n->scale; i < 0 && v; i++, v /= 10)
        if (v % 10)
            return WHOLE_FRACTION;
    for (int i = n->scale; i > 0 && v && v <= UINT64_MAX; i--)
        v *= 10;
    if (v > UINT64_MAX)
        return WHOLE_HUGE;
    *value = (uint64_t)v;
    return WHOLE;
}

double number_double(const struct number *n, int shift)
{
    if (n->huge)
        return n->negative ? -INFINITY : INFINITY;
    char text[64];
    const uint64_t part = UINT64_C(10000000000000);
    snprintf(text, sizeof text, "%s%" PRIu64 "%013" PRIu64 "e%d", n->negative ? "-" : "",
             (uint64_t)(n->digits / part), (uint64_t)(n->digits % part), n->scale + shift);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc: a constant, no memory */
    double value = strtod_l(text, NULL, plain);
    freelocale(plain);
    return value;
}
