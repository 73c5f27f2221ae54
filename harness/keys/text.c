/* SPDX-License-Identifier: MIT */
#include "harness/keys/text.h"

unsigned text_decimal_digits(uint64_t value)
{
    unsigned digits = 1;
    for (uint64_t bound = 10; value >= bound; bound *= 10)
        if (++digits == 20) /* 10^20 is beyond 64 bits */
            break;
    return digits;
}

size_t text_decimal(unsigned char *out, uint64_t value, unsigned width)
{
    unsigned digits = text_decimal_digits(value);
    unsigned length = digits > width ? digits : width;
    for (unsigned i = length; i-- > 0; value /= 10)
        out[i] = (unsigned char)('0' + value % 10);
    return length;
}
