/* SPDX-License-Identifier: MIT
 *
 * lanes_template.h: the keys of a batch through one hash, many at a time, by the instructions of
 * one path. Included by parts_template.h, which says what the parts of a hash are.
 *
 * Define before including, undefined again at the end:
 *   LANES_NAME(x)  name of a function of this hash and path
 *   LANES_TARGET   attribute that admits the path's instructions (little-endian, 256-bit vectors)
 *
 * Every loop over lanes is straight-line code on arrays side by side. States stand in memory
 * between the steps: vectors of lanes do not wait for each other, as the steps of one key do.
 */

/* Compilers see that the lanes are whole groups. */
#define LANES_EACH(i)                                                                              \
    for (size_t i = 0, lanes_ = tile->lanes / LANES_GROUP * LANES_GROUP; i < lanes_; i++)

/* The word at p, for a loop over lanes that is to stay scalar: gcc would make a gather of it, which
 * costs more than the loads. */
HASH_INLINE LANES_TARGET HASH_WORD LANES_NAME(word)(const unsigned char *p)
{
    HASH_WORD word;
    memcpy(&word, p, sizeof word);
    __asm__("" : "+r"(word));
    return word;
}

/* Words 0 .. 3 of lanes i .. i + 3, turned: those of one place side by side. The first step
 * interleaves what one instruction can: neighbours inside 128 bits. */
HASH_INLINE LANES_TARGET void LANES_NAME(turn)(HASH_WORD (*restrict word)[LANES_TILE], size_t i,
                                               const unsigned char *bytes, const uint64_t *start)
{
    enum { SECOND = sizeof(HASH_WORD) == 4 ? 1 : 2, THIRD = 3 - SECOND };
    typedef HASH_WORD vector __attribute__((vector_size(4 * sizeof(HASH_WORD))));
    vector a, b, c, d;
    memcpy(&a, bytes + start[i], sizeof a);
    memcpy(&b, bytes + start[i + 1], sizeof b);
    memcpy(&c, bytes + start[i + 2], sizeof c);
    memcpy(&d, bytes + start[i + 3], sizeof d);
    vector ab_low = __builtin_shufflevector(a, b, 0, 4, SECOND, SECOND + 4);
    vector ab_high = __builtin_shufflevector(a, b, THIRD, THIRD + 4, 3, 7);
    vector cd_low = __builtin_shufflevector(c, d, 0, 4, SECOND, SECOND + 4);
    vector cd_high = __builtin_shufflevector(c, d, THIRD, THIRD + 4, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
    memcpy(word[0] + i, &a, sizeof a);
    memcpy(word[SECOND] + i, &b, sizeof b);
    memcpy(word[THIRD] + i, &c, sizeof c);
    memcpy(word[3] + i, &d, sizeof d);
}

/* `words` words of every lane, from byte `from` of its key on, by place. */
HASH_INLINE LANES_TARGET void LANES_NAME(fetch)(HASH_WORD (*restrict word)[LANES_TILE],
                                                const struct lanes_tile *tile,
                                                const unsigned char *bytes, size_t from,
                                                size_t words)
{
    size_t j = 0;
    for (; j + 4 <= words; j += 4)
        for (size_t i = 0; i < tile->lanes; i += 4)
            LANES_NAME(turn)(word + j, i, bytes + from + j * sizeof **word, tile->start);
    for (; j < words; j++)
        for (size_t i = 0; i < tile->lanes; i++)
            word[j][i] = LANES_NAME(word)(bytes + tile->start[i] + from + j * sizeof **word);
}

/* One block of every lane that still has one; `all`: every lane has. */
HASH_INLINE LANES_TARGET void LANES_NAME(step)(HASH_WORD (*restrict state)[LANES_TILE],
                                               HASH_WORD (*restrict word)[LANES_TILE],
                                               const struct lanes_tile *restrict tile,
                                               uint32_t block, bool all)
{
    LANES_EACH(i)
    {
        HASH_WORD s[HASH_STATE], w[HASH_BLOCK];
        for (int j = 0; j < HASH_STATE; j++)
            s[j] = state[j][i];
        for (int j = 0; j < HASH_BLOCK; j++)
            w[j] = word[j][i];
        HASH_NAME(block)(s, w);
        for (int j = 0; j < HASH_STATE; j++)
            state[j][i] = all || block < tile->length[i] / HASH_BYTES ? s[j] : state[j][i];
    }
}

/* Of word j of those that hold the last `rest` bytes of a key, the bits that are the key's. */
HASH_INLINE LANES_TARGET HASH_WORD LANES_NAME(mask)(size_t rest, size_t j)
{
    const HASH_WORD none = 0, all = (HASH_WORD)~none;
    HASH_WORD part = (HASH_WORD) ~(all << (8 * (rest % sizeof(HASH_WORD))));
    size_t last = rest / sizeof(HASH_WORD);
    return j < last ? all : j == last ? part : none;
}

/* What is left of every key, less than a block, with zeros behind. */
HASH_INLINE LANES_TARGET void LANES_NAME(fetch_tail)(HASH_WORD (*restrict word)[LANES_TILE],
                                                     const struct lanes_tile *tile,
                                                     const unsigned char *bytes, bool same)
{
    if (same && tile->shortest % HASH_BYTES == 0) {
        memset(word, 0, HASH_BLOCK * sizeof *word);
        return;
    }
    for (size_t j = 0; j < HASH_BLOCK; j++)
        for (size_t i = 0; i < tile->lanes; i++) {
            size_t length = same ? tile->shortest : tile->length[i], rest = length % HASH_BYTES;
            size_t at = tile->start[i] + (length - rest) + j * sizeof **word;
            word[j][i] = LANES_NAME(word)(bytes + at) & LANES_NAME(mask)(rest, j);
        }
}

/* The values, from the states after all blocks and the words of the tail. */
HASH_INLINE LANES_TARGET void LANES_NAME(end)(uint64_t *restrict low, uint64_t *restrict high,
                                              HASH_WORD (*restrict state)[LANES_TILE],
                                              HASH_WORD (*restrict word)[LANES_TILE],
                                              const struct lanes_tile *restrict tile, bool same)
{
    const HASH_WORD shared = tile->shortest;
    LANES_EACH(i)
    {
        HASH_WORD s[HASH_STATE], w[HASH_BLOCK];
        const HASH_WORD length = same ? shared : tile->length[i];
        for (int j = 0; j < HASH_STATE; j++)
            s[j] = state[j][i];
        for (int j = 0; j < HASH_BLOCK; j++)
            w[j] = word[j][i];
        HASH_NAME(tail)(s, w, length);
        struct hash_value value = HASH_NAME(finish)(s, length);
        low[i] = value.word[0];
        if (HASH_BITS == 128)
            high[i] = value.word[1];
    }
}

/* The tile's values; same: all lanes have one length. */
HASH_INLINE LANES_TARGET void LANES_NAME(tile)(uint64_t *restrict low, uint64_t *restrict high,
                                               const struct lanes_tile *restrict tile,
                                               const unsigned char *bytes, uint64_t seed, bool same)
{
    enum { PANEL = LANES_PANEL / HASH_BLOCK }; /* blocks */
    HASH_WORD state[HASH_STATE][LANES_TILE], word[LANES_PANEL][LANES_TILE];
    const uint32_t blocks = tile->longest / HASH_BYTES, sure = tile->shortest / HASH_BYTES;
    const uint32_t shared = tile->shortest;
    LANES_EACH(i)
    {
        HASH_WORD s[HASH_STATE];
        HASH_NAME(start)(s, same ? shared : tile->length[i], seed);
        for (int j = 0; j < HASH_STATE; j++)
            state[j][i] = s[j];
    }
    for (uint32_t first = 0; first < blocks; first += PANEL) {
        uint32_t count = blocks - first < PANEL ? blocks - first : PANEL;
        LANES_NAME(fetch)(word, tile, bytes, (size_t)first * HASH_BYTES, count * HASH_BLOCK);
        for (uint32_t b = 0; b < count; b++)
            if (same || first + b < sure)
                LANES_NAME(step)(state, word + b * HASH_BLOCK, tile, first + b, true);
            else
                LANES_NAME(step)(state, word + b * HASH_BLOCK, tile, first + b, false);
    }
    LANES_NAME(fetch_tail)(word, tile, bytes, same);
    LANES_NAME(end)(low, high, state, word, tile, same);
}

LANES_TARGET static void LANES_NAME(same)(uint64_t *low, uint64_t *high,
                                          const struct lanes_tile *tile, const unsigned char *bytes,
                                          uint64_t seed)
{
    LANES_NAME(tile)(low, high, tile, bytes, seed, true);
}

LANES_TARGET static void LANES_NAME(mixed)(uint64_t *low, uint64_t *high,
                                           const struct lanes_tile *tile,
                                           const unsigned char *bytes, uint64_t seed)
{
    LANES_NAME(tile)(low, high, tile, bytes, seed, false);
}
#undef LANES_EACH
#undef LANES_NAME
#undef LANES_TARGET
