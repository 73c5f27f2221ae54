/* SPDX-License-Identifier: MIT
 *
 * number.h: one number as it is written, exactly; values.c makes integers, reals and ranges of it.
 */
#ifndef BLOOMLAB_NUMBER_H
#define BLOOMLAB_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/reduce.h"

/* The value is digits * 10^scale * unit. At most 26 digits are kept, so that digits * unit fits 128
 * bits; what is over counts into scale, and `lost` tells whether any of it was not 0. */
struct number {
    uint128 digits;
    int scale;
    uint64_t unit;
    uint64_t base; /* of base^exponent; 0: not written as a power */
    bool negative, lost;
    bool huge; /* a power or a hexadecimal of 2^64 or more */
};

/* A part of a text. */
struct span {
    const char *at, *end;
};

struct span span_of(const char *text);
struct span span_trim(struct span s);   /* without spaces at both ends */
bool span_take(struct span *s, char c); /* moves over c when it comes next */

/* Reads the number at the start of the span and moves on behind it; false: there is none. */
bool number_scan(struct number *n, struct span *s);

/* The whole span as one number, with a unit of size behind it when `units`. */
bool number_scan_all(struct number *n, struct span s, bool units);

enum whole { WHOLE, WHOLE_HUGE, WHOLE_FRACTION };

/* The magnitude of the number; WHOLE_HUGE from 2^64 on. The sign is the caller's. */
enum whole number_whole(uint64_t *value, const struct number *n);

/* The double nearest to the number times 10^shift, with its sign; units do not count. */
double number_double(const struct number *n, int shift);

#endif
