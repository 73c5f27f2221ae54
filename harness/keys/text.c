/* SPDX-License-Identifier: MIT */
#include "harness/keys/text.h"

static const uint64_t text_power[20] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

/* A number of b bits has t or t + 1 digits, t = floor(b log10 2); 1233 / 2^12 is log10 2 closely
 * enough for b <= 64. */
unsigned text_decimal_digits(uint64_t value)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    unsigned digits = bits * 1233 >> 12;
    return digits + ((value | 1) >= text_power[digits]);
}

size_t text_decimal(unsigned char *out, uint64_t value, unsigned width)
{
    unsigned digits = text_decimal_digits(value);
    unsigned length = digits > width ? digits : width;
    if (length <= 16) {
        unsigned char all[2 * TEXT_SLACK];
        text_decimal16(all, value);
        memcpy(out, all + 16 - length, TEXT_SLACK);
        return length;
    }
    for (unsigned i = length; i-- > 0; value /= 10)
        out[i] = (unsigned char)('0' + value % 10);
    return length;
}
