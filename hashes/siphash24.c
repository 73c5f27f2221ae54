/* SPDX-License-Identifier: MIT
 *
 * siphash24.c: SipHash-2-4, 64 bits: a keyed function, safe against chosen keys.
 *
 * Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012. Its
 * 16 bytes of key are the seed, little-endian, and eight zeros.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

HASH_INLINE void siphash24_rounds(uint64_t *v, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate_left64(v[1], 13) ^ v[0];
        v[3] = rotate_left64(v[3], 16) ^ v[2];
        v[0] = rotate_left64(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotate_left64(v[1], 17) ^ v[2];
        v[3] = rotate_left64(v[3], 21) ^ v[0];
        v[2] = rotate_left64(v[2], 32);
    }
}

/* "somepseudorandomlygeneratedbytes" in big-endian words, xored with the key. */
HASH_INLINE void siphash24_start(uint64_t *v, uint64_t length, uint64_t seed)
{
    (void)length;
    v[0] = seed ^ UINT64_C(0x736f6d6570736575);
    v[1] = UINT64_C(0x646f72616e646f6d);
    v[2] = seed ^ UINT64_C(0x6c7967656e657261);
    v[3] = UINT64_C(0x7465646279746573);
}

HASH_INLINE void siphash24_block(uint64_t *v, const uint64_t *word)
{
    v[3] ^= *word;
    siphash24_rounds(v, 2);
    v[0] ^= *word;
}

HASH_INLINE void siphash24_tail(uint64_t *v, const uint64_t *word, uint64_t length)
{
    const uint64_t last = *word | length << 56;
    siphash24_block(v, &last);
}

HASH_INLINE struct hash_value siphash24_finish(const uint64_t *state, uint64_t length)
{
    (void)length;
    uint64_t v[4] = {state[0], state[1], state[2] ^ 255, state[3]};
    siphash24_rounds(v, 4);
    return (struct hash_value){{v[0] ^ v[1] ^ v[2] ^ v[3], 0}};
}

#define HASH_NAME(x) siphash24_##x
#define HASH_BITS 64
#define HASH_WORD uint64_t
#define HASH_STATE 4
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

const struct hash hash_siphash24 = {
    .name = "siphash24",
    .summary = "SipHash-2-4: keyed, safe against chosen keys",
    .source = "Aumasson & Bernstein, INDOCRYPT 2012",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0x57b661ed,
    .one = siphash24_one,
    .batch = siphash24_batch,
};
