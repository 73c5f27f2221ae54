/* SPDX-License-Identifier: MIT
 *
 * filters_probes.c: single probes of every variant that tells them: their positions are those the
 * filter itself looks at, and their rates those of the variant's own law.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "filters/bits.h"
#include "filters/theory/two_hash.h"
#include "tests/rig.h"

enum { PROBES_K = 6, PROBES_KEYS = 300 };

static const struct probes_variant {
    const char *name, *own;
    uint64_t m;
} probes_variants[] = {
    {"classic", "", 1000},
    {"classic", "", 1024},
    {"counting", "counter_bits=2", 1000},
    {"counting", "counter_bits=3", 1000},
    {"counting", "counter_bits=4", 1000},
    {"counting", "counter_bits=8", 1000},
    {"partitioned", "", 1000},
    {"double_hashing", "", 1024},
    {"double_hashing", "force_odd=false", 1024},
    {"double_hashing", "", 1000},
    {"enhanced_double", "", 1000},
    {"enhanced_double", "", 1024},
    {"blocked", "block_bits=64", 1024},
    {"blocked", "block_bits=512", 3072},
    {"split_block", "block_bits=256", 1024},
    {"split_block", "block_bits=512", 4096},
};
enum { PROBES_VARIANTS = sizeof probes_variants / sizeof *probes_variants };

static void probes_open(struct rig *rig, const struct probes_variant *variant)
{
    rig_params(rig, variant->name, variant->own, variant->m, PROBES_KEYS, PROBES_K);
    if (!(rig->ops->axes & AXIS_K))
        rig->params.k = 0;
    rig_open(rig);
}

/* Positions of keys first .. first + count - 1: probe i of key j at i * count + j. */
static uint64_t *probes_of(struct rig *rig, uint64_t first, size_t count)
{
    const struct layout *layout = &rig->layout;
    uint64_t *all = malloc(layout->k * count * sizeof *all);
    uint64_t *some = malloc(layout->k * layout->batch * sizeof *some);
    for (size_t at = 0; at < count; at += rig->batch.count) {
        size_t piece = layout->batch - 3; /* columns lie a whole batch apart, whatever the count */
        rig_query(rig, NULL, first + at, count - at < piece ? count - at : piece, 0);
        rig->ops->probes(&rig->filter, some, &rig->batch, rig->scratch);
        for (unsigned i = 0; i < layout->k; i++)
            for (size_t j = 0; j < rig->batch.count; j++)
                all[i * count + at + j] = some[i * layout->batch + j];
    }
    free(some);
    return all;
}

static bool probes_all_set(const struct rig *rig, const uint64_t *position, size_t count,
                           size_t key)
{
    bool all = true;
    for (unsigned i = 0; i < rig->layout.k; i++)
        all = all && rig->ops->test(&rig->filter, position[i * count + key]);
    return all;
}

/* The bits a filter has set are the positions of its members, and a key is present when its
 * positions are set: the probes are those the filter takes. */
Test(probes, are_those_of_insert_and_query)
{
    for (unsigned v = 0; v < PROBES_VARIANTS; v++)
        for (unsigned reduction = 0; reduction < REDUCTION_COUNT; reduction++)
            for (unsigned bits = 16; bits <= 64; bits += 16) {
                struct rig rig;
                struct error err;
                static uint8_t present[4000];
                rig_params(&rig, probes_variants[v].name, probes_variants[v].own,
                           probes_variants[v].m, PROBES_KEYS, PROBES_K);
                rig.params.k = rig.ops->axes & AXIS_K ? PROBES_K : 0;
                rig.params.reduction = (enum reduction)reduction;
                rig.params.digest_bits = bits;
                if (rig_plan(&rig, &err))
                    continue; /* mask with a range that is no power of two */
                rig_open(&rig);
                rig_add(&rig, 0, 100);
                uint64_t *member = probes_of(&rig, 0, 100), set = 0;
                unsigned char *seen = calloc(rig.layout.m, 1);
                for (size_t i = 0; i < rig.layout.k * 100; i++) {
                    cr_assert_lt(member[i], rig.layout.m);
                    cr_assert(rig.ops->test(&rig.filter, member[i]));
                    set += !seen[member[i]];
                    seen[member[i]] = 1;
                }
                cr_assert_eq(set, rig.ops->count_bits(&rig.filter), "%s", rig.ops->name);
                uint64_t *stranger = probes_of(&rig, RIG_STRANGERS, 4000);
                rig_query(&rig, present, RIG_STRANGERS, 4000, 0);
                for (size_t j = 0; j < 4000; j++)
                    cr_assert_eq(present[j], probes_all_set(&rig, stranger, 4000, j), "%s: key %zu",
                                 rig.ops->name, j);
                free(member);
                free(stranger);
                free(seen);
                rig_close(&rig);
            }
}

/* 2^17 ideal strangers: each share within 5.5 standard errors of its rate; 16 variants with at most
 * 36 rates: false alarm 16 * 36 * 3.8e-8 = 2e-5 for another seed; this one is fixed. */
Test(probes, hit_as_often_as_their_law_says)
{
    enum { STRANGERS = 1 << 17 };
    for (unsigned v = 0; v < PROBES_VARIANTS; v++) {
        struct rig rig;
        probes_open(&rig, &probes_variants[v]);
        rig_add(&rig, 0, rig.layout.m / (2 * rig.layout.k) * 3 / 2);
        const unsigned k = rig.layout.k;
        double single[PROBES_K + 2], pair[(PROBES_K + 2) * (PROBES_K + 2)], alone[PROBES_K + 2];
        rig.ops->probe_rates(&rig.filter, single, pair);
        rig.ops->probe_rates(&rig.filter, alone, NULL);
        uint64_t *position = probes_of(&rig, RIG_STRANGERS, STRANGERS);
        for (unsigned i = 0; i < k; i++)
            for (unsigned j = i; j < k; j++) {
                uint64_t hits = 0;
                double rate = i == j ? single[i] : pair[i * k + j];
                for (size_t q = 0; q < STRANGERS; q++)
                    hits += rig.ops->test(&rig.filter, position[i * STRANGERS + q]) &&
                            rig.ops->test(&rig.filter, position[j * STRANGERS + q]);
                double z = ((double)hits - rate * STRANGERS) / sqrt(STRANGERS * rate * (1 - rate));
                cr_assert_lt(fabs(z), 5.5, "%s %s m %d: probes %u, %u: z %g", rig.ops->name,
                             probes_variants[v].own, (int)rig.layout.m, i, j, z);
                cr_assert_eq(alone[i], single[i]);
            }
        free(position);
        rig_close(&rig);
    }
}

/* ---- the pairs of double hashing, against every key there is --------------------------------- */

static void probes_small_world(const struct two_hash *scheme, const unsigned char *array)
{
    const unsigned k = scheme->k;
    double single[16], pair[16 * 16], keys = 0;
    uint64_t both[16][16] = {{0}};
    for (uint64_t b = 0; b < scheme->m; b++) {
        if (!two_hash_step_allowed(scheme, b))
            continue;
        for (uint64_t a = 0; a < scheme->m; a++, keys++)
            for (unsigned i = 0; i < k; i++)
                for (unsigned j = i; j < k; j++)
                    both[i][j] +=
                        bits_test(array, (a + two_hash_offset(scheme, b, i)) % scheme->m) &&
                        bits_test(array, (a + two_hash_offset(scheme, b, j)) % scheme->m);
    }
    theory_two_hash_probes(scheme, array, single, pair);
    for (unsigned i = 0; i < k; i++) {
        cr_assert_float_eq(single[i], (double)both[i][i] / keys, 1e-13);
        for (unsigned j = i + 1; j < k; j++)
            cr_assert_float_eq(pair[i * k + j], (double)both[i][j] / keys, 1e-13,
                               "m %d k %u law %d odd %d nonzero %d: %u, %u: %g, not %g",
                               (int)scheme->m, k, scheme->law, scheme->odd, scheme->nonzero, i, j,
                               pair[i * k + j], (double)both[i][j] / keys);
    }
}

Test(probes, pairs_of_double_hashing_are_exact)
{
    uint64_t state = 7;
    for (uint64_t m = 1; m <= 48; m++)
        for (unsigned kind = 0; kind < 6; kind++) {
            struct two_hash scheme = {.law = kind % 2 ? LAW_ENHANCED : LAW_DOUBLE,
                                      .odd = kind / 2 == 1,
                                      .nonzero = kind / 2 == 2,
                                      .m = m,
                                      .k = 11};
            if (scheme.odd && (kind % 2 || (m & (m - 1))))
                continue; /* no filter makes other steps odd */
            unsigned char array[8] = {0};
            for (uint64_t x = 0; x < m; x++)
                if (two_hash_draw(&state, 3))
                    bits_set(array, x);
            probes_small_world(&scheme, array);
        }
}
