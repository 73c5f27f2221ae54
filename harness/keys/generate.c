/* SPDX-License-Identifier: MIT
 *
 * generate.c: keys made from counters.
 *
 * Role r owns the counters r * 2^63 .. r * 2^63 + 2^63 - 1 (consecutive kinds with a stride of
 * s * 2^t, s odd: 2^(63-t) each, since multiples of 2^t repeat sooner modulo 2^64). What follows is
 * a bijection of them, so that keys are distinct and no query is a member:
 *
 *   random64    the image of the counter under bijection64
 *   uuid4       122 bits: the 64 of that image, which alone make it distinct, and 58 from a second
 * one url         that image spelled in words and digits (url.h) decimal     10^17 + c and 5.5 *
 * 10^17 + c, c < 4.5 * 10^17: always 18 digits, so that no length tells members from queries others
 * the counter, times the stride, or with its bits reversed
 *
 * A random set of 64-bit keys without repetition differs from one with it by n^2/2^65 repetitions.
 */
#include "harness/keys/generate.h"

#include <endian.h>
#include <string.h>

#include "harness/keys/text.h"
#include "harness/keys/url.h"

#define GENERATE_TOP_BIT (UINT64_C(1) << 63)
#define GENERATE_START_UNIT (UINT64_C(1) << 20) /* starts are multiples of it ... */
#define GENERATE_START_ROOM (UINT64_C(1) << 40) /* ... when there are that many counters */

#define GENERATE_DECIMAL_FIRST UINT64_C(100000000000000000) /* the first of 18 digits */
#define GENERATE_DECIMAL_COUNT UINT64_C(450000000000000000) /* half of all with 18 digits */
#define GENERATE_DECIMAL_UNIT UINT64_C(1000000)
#define GENERATE_DECIMAL_LOW UINT64_C(10000000000000000) /* 10^16: written sixteen at once */

enum {
    GENERATE_DECIMAL_DIGITS = 18,
    GENERATE_UUID_BYTES = 36,
    GENERATE_BLOCK = 256, /* images made at once, on the stack */
};

void generate_measure(struct key_source *source)
{
    source->counters = GENERATE_TOP_BIT;
    source->shortest = source->longest = 8;
    switch (source->kind) {
    case KEYS_STRIDED64:
        source->counters >>= __builtin_ctzll(source->stride);
        break;
    case KEYS_DECIMAL:
        source->counters = GENERATE_DECIMAL_COUNT;
        source->longest =
            source->width > GENERATE_DECIMAL_DIGITS ? source->width : GENERATE_DECIMAL_DIGITS;
        source->shortest = source->longest;
        break;
    case KEYS_UUID4:
        source->shortest = source->longest = GENERATE_UUID_BYTES;
        break;
    case KEYS_URL:
        source->shortest = 0;
        source->longest = url_longest();
        break;
    default:
        break;
    }
    source->total_bytes = UINT64_MAX;
}

uint64_t generate_start(const struct key_source *source, uint64_t random)
{
    if (source->kind == KEYS_DECIMAL)
        return random % (GENERATE_DECIMAL_COUNT / GENERATE_DECIMAL_UNIT) * GENERATE_DECIMAL_UNIT;
    uint64_t start = random & (source->counters - 1); /* a power of two */
    return source->counters < GENERATE_START_ROOM ? start : start & ~(GENERATE_START_UNIT - 1);
}

/* ---- images of counters ---------------------------------------------------------------------- */

static void generate_random64(const struct key_stream *stream, uint64_t counter, size_t count,
                              uint64_t *out)
{
    bijection64_fill(&stream->number, out, counter, count);
    for (size_t i = 0; i < count; i++)
        out[i] = htole64(out[i]);
}

/* xxxxxxxx-xxxx-4xxx-[89ab]xxx-xxxxxxxxxxxx: RFC 9562, section 5.4. number fills the 60 free bits
 * of the upper half and the first four of the lower, noise the rest. */
static void generate_uuid4(unsigned char *out, uint64_t number, uint64_t noise)
{
    uint64_t upper = (number & ~UINT64_C(0xffff)) | 0x4000 | (number >> 4 & 0x0fff);
    uint64_t lower = UINT64_C(1) << 63 | (number & 0xf) << 58 | noise >> 6;
    uint64_t middle = text_hex8((uint32_t)upper), clock = text_hex8((uint32_t)(lower >> 32));
    text_store(out, text_hex8((uint32_t)(upper >> 32)));
    text_store(out + 9, middle);
    text_store(out + 14, middle >> 32);
    text_store(out + 19, clock);
    text_store(out + 24, clock >> 32);
    text_store(out + 28, text_hex8((uint32_t)lower));
    out[8] = out[13] = out[18] = out[23] = '-';
}

static void generate_uuids(const struct key_stream *stream, uint64_t counter, size_t count,
                           unsigned char *out)
{
    uint64_t number[GENERATE_BLOCK], noise[GENERATE_BLOCK];
    for (size_t i = 0; i < count; i += GENERATE_BLOCK) {
        size_t part = count - i < GENERATE_BLOCK ? count - i : GENERATE_BLOCK;
        bijection64_fill(&stream->number, number, counter + i, part);
        bijection64_fill(&stream->noise, noise, counter + i, part);
        for (size_t j = 0; j < part; j++)
            generate_uuid4(out + (i + j) * GENERATE_UUID_BYTES, number[j], noise[j]);
    }
}

/* Offsets first, then the text. */
static void generate_urls(const struct key_stream *stream, uint64_t counter, size_t count,
                          struct key_batch *batch, void *buffer)
{
    uint64_t number[GENERATE_BLOCK], *offsets = buffer;
    unsigned char *bytes = (unsigned char *)(offsets + count + 1);
    offsets[0] = 0;
    for (size_t i = 0; i < count; i += GENERATE_BLOCK) {
        size_t part = count - i < GENERATE_BLOCK ? count - i : GENERATE_BLOCK;
        bijection64_fill(&stream->number, number, counter + i, part);
        for (size_t j = i; j < i + part; j++)
            offsets[j + 1] = offsets[j] + url_write(bytes + offsets[j], number[j - i]);
    }
    batch->bytes = bytes;
    batch->offsets = offsets;
}

/* ---- consecutive counters -------------------------------------------------------------------- */

static uint64_t generate_reversed(uint64_t x)
{
    x = (x >> 1 & UINT64_C(0x5555555555555555)) | (x & UINT64_C(0x5555555555555555)) << 1;
    x = (x >> 2 & UINT64_C(0x3333333333333333)) | (x & UINT64_C(0x3333333333333333)) << 2;
    x = (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(x);
}

static void generate_consecutive(const struct key_source *source, enum key_role role,
                                 uint64_t start, size_t count, uint64_t *out)
{
    uint64_t mask = source->counters - 1, base = role == KEY_QUERY ? source->counters : 0;
    uint64_t stride = source->stride;
    for (size_t i = 0; i < count; i++)
        out[i] = (((start + i) & mask) + base) * stride;
    if (source->kind == KEYS_REVERSED64)
        for (size_t i = 0; i < count; i++)
            out[i] = generate_reversed(out[i]);
    for (size_t i = 0; i < count; i++)
        out[i] = htole64(out[i]);
}

static void generate_decimal(const struct key_source *source, enum key_role role, uint64_t start,
                             size_t count, unsigned char *out)
{
    uint64_t base = GENERATE_DECIMAL_FIRST + (role == KEY_QUERY ? GENERATE_DECIMAL_COUNT : 0);
    size_t pad = source->longest - GENERATE_DECIMAL_DIGITS;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = base + (start + i) % GENERATE_DECIMAL_COUNT;
        uint64_t top = value / GENERATE_DECIMAL_LOW; /* 10..99 */
        memset(out, '0', pad);
        out[pad] = (unsigned char)('0' + top / 10);
        out[pad + 1] = (unsigned char)('0' + top % 10);
        text_decimal16(out + pad + 2, value % GENERATE_DECIMAL_LOW);
        out += source->longest;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void generate_fill(const struct key_stream *stream, enum key_role role, uint64_t first,
                   size_t count, struct key_batch *batch, void *buffer)
{
    const struct key_source *source = stream->source;
    uint64_t counter = first | (role == KEY_QUERY ? GENERATE_TOP_BIT : 0);
    uint64_t start = stream->start[role] + first;
    *batch = (struct key_batch){.bytes = buffer, .length = source->longest, .count = count};
    switch (source->kind) {
    case KEYS_RANDOM64:
        generate_random64(stream, counter, count, buffer);
        break;
    case KEYS_UUID4:
        generate_uuids(stream, counter, count, buffer);
        break;
    case KEYS_URL:
        generate_urls(stream, counter, count, batch, buffer);
        break;
    case KEYS_DECIMAL:
        generate_decimal(source, role, start, count, buffer);
        break;
    default:
        generate_consecutive(source, role, start, count, buffer);
        break;
    }
}
