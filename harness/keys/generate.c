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
 *               one
 *   url         that image spelled in words and digits (url.h)
 *   letters     the counters are the numbers of all words of 3 to 7 letters, shuffled
 *   decimal     10^17 + c and 5.5 * 10^17 + c, c < 4.5 * 10^17: always 18 digits, so that no length
 *               tells members from queries
 *   others      the counter, times the stride, or with its bits reversed
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
    GENERATE_LETTERS = 26,
    GENERATE_WORD_SHORTEST = 3,
    GENERATE_WORD_LONGEST = 7,
    GENERATE_BLOCK = SHUFFLE_BLOCK, /* images made at once, on the stack */
};

#define GENERATE_WORDS_SHORTEST UINT64_C(17576) /* 26^3 */

/* 26^3 + ... + 26^7 = 8353081880 */
static uint64_t generate_words(void)
{
    uint64_t words = 0, of_length = GENERATE_WORDS_SHORTEST;
    for (unsigned length = GENERATE_WORD_SHORTEST; length <= GENERATE_WORD_LONGEST; length++) {
        words += of_length;
        of_length *= GENERATE_LETTERS;
    }
    return words;
}

void generate_measure(struct key_generator *generator)
{
    generator->counters = GENERATE_TOP_BIT;
    generator->shortest = generator->longest = 8;
    switch (generator->kind) {
    case KEYS_STRIDED64:
        generator->counters >>= __builtin_ctzll(generator->stride);
        break;
    case KEYS_DECIMAL:
        generator->counters = GENERATE_DECIMAL_COUNT;
        generator->longest =
            generator->width > GENERATE_DECIMAL_DIGITS ? generator->width : GENERATE_DECIMAL_DIGITS;
        generator->shortest = generator->longest;
        break;
    case KEYS_UUID4:
        generator->shortest = generator->longest = GENERATE_UUID_BYTES;
        break;
    case KEYS_URL:
        generator->shortest = 0;
        generator->longest = url_longest();
        break;
    case KEYS_LETTERS:
        generator->counters = generate_words() / 2;
        generator->shortest = GENERATE_WORD_SHORTEST;
        generator->longest = GENERATE_WORD_LONGEST;
        break;
    default:
        break;
    }
}

uint64_t generate_start(const struct key_generator *generator, uint64_t random)
{
    if (generator->kind == KEYS_DECIMAL)
        return random % (GENERATE_DECIMAL_COUNT / GENERATE_DECIMAL_UNIT) * GENERATE_DECIMAL_UNIT;
    uint64_t start = random & (generator->counters - 1); /* a power of two */
    return generator->counters < GENERATE_START_ROOM ? start : start & ~(GENERATE_START_UNIT - 1);
}

bool generate_may_make(const struct key_generator *generator, const void *key, size_t length)
{
    const unsigned char *bytes = key;
    bool letters = true;
    for (size_t i = 0; i < length; i++)
        letters &= bytes[i] >= 'a' && bytes[i] <= 'z';
    return length >= generator->shortest && length <= generator->longest &&
           (letters || generator->kind != KEYS_LETTERS);
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

/* Word number `index`: the short ones come first, each length in the order of its letters. */
static size_t generate_word(unsigned char *out, uint64_t index)
{
    size_t length = GENERATE_WORD_SHORTEST;
    for (uint64_t words = GENERATE_WORDS_SHORTEST; index >= words; words *= GENERATE_LETTERS) {
        index -= words;
        length++;
    }
    for (size_t i = length; i-- > 0; index /= GENERATE_LETTERS)
        out[i] = (unsigned char)('a' + index % GENERATE_LETTERS);
    return length;
}

static void generate_letters(const struct key_stream *stream, uint64_t index, size_t count,
                             struct key_batch *batch, void *buffer)
{
    uint64_t number[GENERATE_BLOCK], *offsets = buffer;
    unsigned char *bytes = (unsigned char *)(offsets + count + 1);
    offsets[0] = 0;
    for (size_t i = 0; i < count; i += GENERATE_BLOCK) {
        size_t part = count - i < GENERATE_BLOCK ? count - i : GENERATE_BLOCK;
        for (size_t j = 0; j < part; j++)
            number[j] = index + i + j;
        shuffle_apply(&stream->shuffle, number, part);
        for (size_t j = i; j < i + part; j++)
            offsets[j + 1] = offsets[j] + generate_word(bytes + offsets[j], number[j - i]);
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

static void generate_consecutive(const struct key_generator *generator, enum key_role role,
                                 uint64_t start, size_t count, uint64_t *out)
{
    uint64_t mask = generator->counters - 1, base = role == KEY_QUERY ? generator->counters : 0;
    uint64_t stride = generator->stride;
    for (size_t i = 0; i < count; i++)
        out[i] = (((start + i) & mask) + base) * stride;
    if (generator->kind == KEYS_REVERSED64)
        for (size_t i = 0; i < count; i++)
            out[i] = generate_reversed(out[i]);
    for (size_t i = 0; i < count; i++)
        out[i] = htole64(out[i]);
}

static void generate_decimal(const struct key_generator *generator, enum key_role role,
                             uint64_t start, size_t count, unsigned char *out)
{
    uint64_t base = GENERATE_DECIMAL_FIRST + (role == KEY_QUERY ? GENERATE_DECIMAL_COUNT : 0);
    size_t pad = generator->longest - GENERATE_DECIMAL_DIGITS;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = base + (start + i) % GENERATE_DECIMAL_COUNT;
        uint64_t top = value / GENERATE_DECIMAL_LOW; /* 10..99 */
        memset(out, '0', pad);
        out[pad] = (unsigned char)('0' + top / 10);
        out[pad + 1] = (unsigned char)('0' + top % 10);
        text_decimal16(out + pad + 2, value % GENERATE_DECIMAL_LOW);
        out += generator->longest;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void generate_fill(const struct key_stream *stream, enum key_role role, uint64_t first,
                   size_t count, struct key_batch *batch, void *buffer)
{
    const struct key_generator *generator = &stream->source->generator;
    uint64_t counter = first | (role == KEY_QUERY ? GENERATE_TOP_BIT : 0);
    uint64_t start = stream->start[role] + first;
    *batch = (struct key_batch){.bytes = buffer, .length = generator->longest, .count = count};
    switch (generator->kind) {
    case KEYS_RANDOM64:
        generate_random64(stream, counter, count, buffer);
        break;
    case KEYS_UUID4:
        generate_uuids(stream, counter, count, buffer);
        break;
    case KEYS_URL:
        generate_urls(stream, counter, count, batch, buffer);
        break;
    case KEYS_LETTERS:
        generate_letters(stream, first + (role == KEY_QUERY ? generator->counters : 0), count,
                         batch, buffer);
        break;
    case KEYS_DECIMAL:
        generate_decimal(generator, role, start, count, buffer);
        break;
    default:
        generate_consecutive(generator, role, start, count, buffer);
        break;
    }
}
