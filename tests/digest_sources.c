/* SPDX-License-Identifier: MIT */
#include "tests/digest_sources.h"

#include <stdlib.h>

#include "hashes/mix.h"

static const uint64_t *source_column(struct digests *self, unsigned column, const uint32_t *which,
                                     size_t count, uint64_t *out)
{
    struct source *source = (struct source *)self;
    family_column(&source->family, &source->keys, column, which, count, out, source->scratch);
    return out;
}

static const struct source_row {
    const char *name, *hash, *second;
    enum family family;
    unsigned bits; /* of an ideal source, which has no hash */
} source_rows[SOURCE_COUNT] = {
    {"ideal 64", NULL, NULL, FAMILY_SEEDED, 64},
    {"ideal 32", NULL, NULL, FAMILY_SEEDED, 32},
    {"seeded murmur3_x64_128", "murmur3_x64_128", NULL, FAMILY_SEEDED, 0},
    {"salted murmur3_x64_128", "murmur3_x64_128", NULL, FAMILY_SALTED, 0},
    {"split murmur3_x64_128", "murmur3_x64_128", NULL, FAMILY_SPLIT, 0},
    {"pair fnv1a_32 djb2_mix", "fnv1a_32", "djb2_mix", FAMILY_PAIR, 0},
};

void source_init(struct source *source, unsigned i)
{
    const struct source_row *row = &source_rows[i];
    *source = (struct source){.name = row->name, .ideal = !row->hash};
    if (source->ideal) {
        source->bits = row->bits;
        source->columns = 1 << 20;
        return;
    }
    const struct hash *hash = hash_find(row->hash);
    const struct hash *second = row->second ? hash_find(row->second) : NULL;
    source->bits = family_width(row->family, hash, second);
    source->columns = family_columns(row->family);
    source->family = (struct digest_family){
        .family = row->family, .hash = hash, .second = second, .digest_bits = source->bits};
    source->base = (struct digests){.column = source_column, .bits = source->bits};
    source->key_bytes = malloc(SOURCE_BATCH_MAX * sizeof *source->key_bytes);
    source->scratch = malloc(family_scratch_bytes(&source->family, SOURCE_BATCH_MAX, 8) + 8);
}

void source_release(struct source *source)
{
    free(source->key_bytes);
    free(source->scratch);
}

struct digests *source_move(struct source *source, uint64_t seed, uint64_t first, size_t count)
{
    if (source->seedless)
        seed = 0;
    if (source->ideal) {
        ideal_init(&source->digests, source->bits, seed);
        return ideal_move(&source->digests, first, count);
    }
    for (size_t i = 0; i < count; i++)
        source->key_bytes[i] = mix64(first + i + 1);
    source->family.hash_seed = mix64(seed + 1);
    source->keys = (struct key_batch){
        .bytes = (const unsigned char *)source->key_bytes, .length = 8, .count = count};
    source->base.count = count;
    return &source->base;
}
