/* SPDX-License-Identifier: MIT
 *
 * text.h: digits of numbers without a branch or a table, several at once in one 64-bit word.
 */
#ifndef BLOOMLAB_KEYS_TEXT_H
#define BLOOMLAB_KEYS_TEXT_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that may be written, with no meaning, past the end of a text: copies of a fixed size are
 * quicker than copies of the right one. */
enum { TEXT_SLACK = 16 };

/* Bytes of a word go to memory lowest first on every machine. */
static inline void text_store(unsigned char *out, uint64_t word)
{
    word = htole64(word);
    memcpy(out, &word, sizeof word);
}

/* The eight hexadecimal digits of value, lower case, the first in the lowest byte. */
static inline uint64_t text_hex8(uint32_t value)
{
    uint64_t x = __builtin_bswap32(value); /* the most significant byte comes first */
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x >> 4 & UINT64_C(0x000f000f000f000f)) | (x & UINT64_C(0x000f000f000f000f)) << 8;
    uint64_t letter = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return x + UINT64_C(0x3030303030303030) + letter * ('a' - '0' - 10);
}

/* The eight decimal digits of value < 10^8, padded with zeros, the first in the lowest byte: pairs
 * of four, two and one digits are split side by side (P. Khuong, "How to print integers really
 * fast", 2017). The factors are 1/100 for numbers below 10^4 and 1/10 for those below 100, rounded
 * up. */
static inline uint64_t text_decimal8(uint32_t value)
{
    uint64_t four = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = (four * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    uint64_t two = hundreds | (four - 100 * hundreds) << 16;
    uint64_t tens = (two * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return (tens | (two - 10 * tens) << 8) + UINT64_C(0x3030303030303030);
}

/* The sixteen decimal digits of value < 10^16, padded with zeros. */
static inline void text_decimal16(unsigned char out[16], uint64_t value)
{
    text_store(out, text_decimal8((uint32_t)(value / 100000000)));
    text_store(out + 8, text_decimal8((uint32_t)(value % 100000000)));
}

/* How many decimal digits value has: 1 for 0. */
unsigned text_decimal_digits(uint64_t value);

/* Writes value in decimal, padded with zeros to width; no NUL. Returns the length, at most
 * max(width, 20); up to TEXT_SLACK bytes behind it are overwritten too. */
size_t text_decimal(unsigned char *out, uint64_t value, unsigned width);

#endif
