/* SPDX-License-Identifier: MIT
 *
 * siphash24.c: SipHash-2-4, 64 bits: a keyed function, safe against chosen keys.
 *
 * Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012. Its
 * 16 bytes of key are the seed, little-endian, and eight zeros.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

struct siphash24_state {
    uint64_t a, b, c, d;
};

HASH_INLINE void siphash24_rounds(struct siphash24_state *v, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        v->a += v->b;
        v->c += v->d;
        v->b = rotate_left64(v->b, 13) ^ v->a;
        v->d = rotate_left64(v->d, 16) ^ v->c;
        v->a = rotate_left64(v->a, 32);
        v->c += v->b;
        v->a += v->d;
        v->b = rotate_left64(v->b, 17) ^ v->c;
        v->d = rotate_left64(v->d, 21) ^ v->a;
        v->c = rotate_left64(v->c, 32);
    }
}

HASH_INLINE void siphash24_word(struct siphash24_state *v, uint64_t word)
{
    v->d ^= word;
    siphash24_rounds(v, 2);
    v->a ^= word;
}

HASH_INLINE struct hash_value siphash24_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    /* "somepseudorandomlygeneratedbytes" in big-endian words, xored with the key. */
    struct siphash24_state v = {
        .a = seed ^ UINT64_C(0x736f6d6570736575),
        .b = UINT64_C(0x646f72616e646f6d),
        .c = seed ^ UINT64_C(0x6c7967656e657261),
        .d = UINT64_C(0x7465646279746573),
    };
    size_t rest = length;
    for (; rest >= 8; rest -= 8, p += 8)
        siphash24_word(&v, read64(p));
    siphash24_word(&v, read_partial(p, rest) | (uint64_t)length << 56);
    v.c ^= 255;
    siphash24_rounds(&v, 4);
    return (struct hash_value){{v.a ^ v.b ^ v.c ^ v.d, 0}};
}

#define HASH_ONE siphash24_one
#define HASH_BATCH siphash24_batch
#include "hashes/batch_template.h"

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
