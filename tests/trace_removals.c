/* SPDX-License-Identifier: MIT
 *
 * trace_removals.c: who is lost when a word is taken out.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/trace_support.h"

static const char removals_eight[] = "cat dog owl fox bee cow elk yak";
enum { CAT, DOG, OWL, FOX, BEE, COW, ELK, YAK };

#define BIT(word) (UINT64_C(1) << (word))

/* Removing owl takes fox with it and nobody else; 6 of the 8 removals harm somebody. */
Test(trace, clearing_bits_loses_others)
{
    static const uint64_t expected[8] = {[CAT] = BIT(COW),
                                         [OWL] = BIT(FOX),
                                         [FOX] = BIT(OWL) | BIT(COW),
                                         [BEE] = BIT(YAK),
                                         [COW] = BIT(CAT) | BIT(FOX),
                                         [YAK] = BIT(BEE)};
    struct trace trace;
    struct trace_spec spec = trace_spec_of(NULL, 64, 3, "fnv1a_32,djb2_mix");
    spec.twin = true;
    trace_of(&trace, &spec, removals_eight);
    for (uint64_t word = 0; word < 8; word++) {
        cr_expect_eq(trace_lost(&trace, false, word), expected[word], "word %lu", word);
        cr_expect_eq(trace_lost(&trace, true, word), 0, "counters, word %lu", word);
    }
    trace_release(&trace);
}

/* Cat and cow share bit 7: cleared with cat, it stays so when cow goes too. */
Test(trace, cleared_bits_stay_cleared)
{
    struct error err;
    struct trace trace;
    struct trace_spec spec = trace_spec_of(NULL, 64, 3, "fnv1a_32,djb2_mix");
    trace_of(&trace, &spec, removals_eight);
    cr_assert_eq(trace_take_out(&trace, false, CAT, &err), OK);
    cr_assert_eq(trace_take_out(&trace, false, COW, &err), OK);
    cr_expect_not(trace_test(&trace, 7));
    cr_expect_eq(trace.bits.filter.ops->count_bits(&trace.bits.filter), 20 - 5);
    trace_release(&trace);
}

/* Of any variant of plain bits: lost is who shares a position, and trying changes nothing. */
Test(trace, lost_is_who_shares_a_position)
{
    static const char *const filters[] = {"classic",     "double_hashing", "enhanced_double",
                                          "partitioned", "blocked",        "split_block"};
    unsigned lost = 0;
    for (unsigned f = 0; f < sizeof filters / sizeof *filters; f++) {
        struct trace trace;
        struct trace_spec spec = trace_spec_of(filters[f], 512, 8, "murmur3_x64_128");
        trace_of(&trace, &spec, trace_page_words);
        uint64_t digest = filter_digest(&trace.bits.filter);
        for (uint64_t word = 0; word < 16; word++) {
            uint64_t shares = 0;
            for (uint64_t other = 0; other < 16; other++)
                for (unsigned i = 0; other != word && i < trace.k; i++)
                    for (unsigned j = 0; j < trace.k; j++)
                        if (trace.positions[word * trace.k + i] ==
                            trace.positions[other * trace.k + j])
                            shares |= BIT(other);
            cr_expect_eq(trace_lost(&trace, false, word), shares, "%s, word %lu", filters[f], word);
            lost += shares != 0;
        }
        cr_expect_eq(filter_digest(&trace.bits.filter), digest, "%s", filters[f]);
        trace_release(&trace);
    }
    cr_expect_gt(lost, 20);
}

/* A counting filter removes by itself; the twin of another has its positions. */
Test(trace, counters_lose_nobody)
{
    struct error err;
    struct trace trace;
    struct trace_spec spec = trace_spec_of("counting", 32, 4, "xxh3_64");
    spec.twin = true;
    trace_of(&trace, &spec, trace_page_words);
    cr_expect_not(trace.spec.twin);
    for (uint64_t word = 0; word < 16; word++)
        cr_expect_eq(trace_lost(&trace, false, word), 0);
    trace_release(&trace);

    spec = trace_spec_of("partitioned", 64, 4, "xxh3_64");
    spec.twin = true;
    trace_of(&trace, &spec, trace_page_words);
    for (uint64_t p = 0; p < 64; p++)
        cr_expect_eq(trace.counters.filter.ops->test(&trace.counters.filter, p),
                     trace_test(&trace, p));
    for (uint64_t word = 0; word < 16; word += 2)
        cr_assert_eq(trace_take_out(&trace, true, word, &err), OK);
    for (uint64_t word = 1; word < 16; word += 2)
        cr_expect(trace_has(&trace, true, word));
    for (uint64_t word = 1; word < 16; word += 2)
        cr_assert_eq(trace_take_out(&trace, true, word, &err), OK);
    cr_expect_eq(trace.counters.filter.ops->count_bits(&trace.counters.filter), 0);
    trace_release(&trace);
}

/* What cannot be traced is told in a sentence. */
Test(trace, what_cannot_be_traced)
{
    static const struct {
        const char *filter, *hash, *part;
        bool is_signed;
        enum reduction reduction;
    } rows[] = {
        {"hyperloglog", "xxh3_64", "no k positions in one array", false, REDUCE_MOD},
        {"scalable_linear", "xxh3_64", "no k positions in one array", false, REDUCE_MOD},
        {"classic", "xxh3_64/split", "needs a 128-bit hash", false, REDUCE_MOD},
        {"classic", "fmix64/salted", "a hash of keys of any length", false, REDUCE_MOD},
        {"classic", "fnv1a_32,djb2_mix", "k 3 needs 3 digests", false, REDUCE_MOD},
        {"classic", "xxh3_64", "needs a power of two, but m is 100", false, REDUCE_MASK},
        {"classic", "xxh3_64", "need 32-bit hashes; xxh3_64 has 64", true, REDUCE_MOD},
        {"classic", "murmur2/expanded", "need 32-bit hashes", true, REDUCE_MOD},
        {"classic", "murmur2", "not by multiply_shift", true, REDUCE_MULTIPLY_SHIFT},
        {"partitioned", "murmur2", "partitioned takes its digests mod 33", true, REDUCE_MOD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        struct trace_spec spec = trace_spec_of(rows[i].filter, 100, 3, rows[i].hash);
        spec.is_signed = rows[i].is_signed;
        spec.params.reduction = rows[i].reduction;
        enum status status = trace_tried(&spec, "a b", &err);
        cr_expect(status == E_INPUT || status == E_IMPOSSIBLE, "row %zu", i);
        cr_expect(strstr(err.text, rows[i].part), "row %zu: %s", i, err.text);
    }
}
