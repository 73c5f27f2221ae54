/* SPDX-License-Identifier: MIT
 *
 * stream_parts.c: what a stream is made of: the exact set, rotating filters, theory, sizes, and
 * that messages go out before it waits for more.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filters/theory/classic.h"
#include "harness/stream/feed.h"
#include "harness/stream/size.h"
#include "hashes/mix.h"
#include "tests/csv.h"
#include "tests/near.h"

/* ---- the exact set --------------------------------------------------------------------------- */

/* Ids of 0 to 2 bytes and long ones, among them every pair of bytes, against a plain array. */
Test(stream_parts, exact_set)
{
    struct exact_set set = {0};
    struct error err;
    bool *seen = calloc(1 << 16, 1), added;
    uint64_t different = 0;
    for (unsigned round = 0; round < 150000; round++) {
        unsigned which = (unsigned)(mix64(round) >> 48);
        unsigned char id[2] = {(unsigned char)which, (unsigned char)(which >> 8)};
        cr_assert_eq(exact_has(&set, id, 2), seen[which]);
        cr_assert_eq(exact_add(&set, &added, id, 2, &err), OK);
        cr_assert_eq(added, !seen[which]);
        different += added;
        seen[which] = true;
    }
    cr_assert_eq(set.count, different);
    const unsigned char long_id[600] = {1};
    for (size_t size = 0; size <= sizeof long_id; size += size == 0 ? 1 : 2) {
        cr_assert_eq(exact_add(&set, &added, long_id, size, &err), OK);
        cr_assert(added, "a prefix is another id: %zu", size);
    }
    cr_assert_eq(exact_add(&set, &added, long_id, 0, &err), OK);
    cr_assert_not(added);
    exact_clear(&set);
    cr_assert_not(exact_has(&set, long_id, 1));
    cr_assert_eq(exact_add(&set, &added, long_id, 1, &err), OK);
    cr_assert(added);
    exact_release(&set);
    free(seen);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static struct digest_family family_of(const char *hash, enum family family, unsigned bits)
{
    return (struct digest_family){
        .family = family, .hash = hash_find(hash), .digest_bits = bits, .seed_fixed = true};
}

static struct stream_size size_of(const char *filter)
{
    struct stream_size size = {.ops = filter_find(filter),
                               .family = family_of("murmur3_x64_128", FAMILY_SPLIT, 64),
                               .rate = NAN};
    filter_params_defaults(&size.own, size.ops);
    return size;
}

/* Of every variant with bits: its own theory keeps the promise at the m that was chosen, and a
 * hundredth less does not. */
Test(stream_parts, the_promise_is_kept)
{
    for (size_t i = 0; i < filter_count; i++) {
        struct stream_size size = size_of(filter_table[i]->name);
        struct layout layout, less;
        struct error err;
        if (!(size.ops->axes & AXIS_M))
            continue;
        size.capacity = 5000;
        size.rate = 0.003;
        cr_assert_eq(stream_size(&layout, &size, &err), OK, "%s: %s", size.ops->name, err.text);
        struct stream_law law = {size.ops, &layout, true, FAMILY_SPLIT, 64};
        cr_expect_leq(stream_rate(&law, 5000), 0.003, "%s", size.ops->name);
        size.bits = layout.m - layout.m / 100;
        size.hashes = layout.k;
        size.rate = NAN;
        cr_assert_eq(stream_size(&less, &size, &err), OK);
        law.layout = &less;
        cr_expect_gt(stream_rate(&law, 5000), 0.003, "%s", size.ops->name);
    }
}

/* The least m, to one bit. */
Test(stream_parts, the_least_classic_filter)
{
    struct stream_size size = size_of("classic");
    struct layout layout;
    struct error err;
    size.capacity = 300;
    size.rate = 0.01;
    cr_assert_eq(stream_size(&layout, &size, &err), OK);
    cr_assert_eq(layout.k, 7);
    cr_assert_leq(theory_fpr_exact(layout.m, 300, 7), 0.01);
    cr_assert_gt(theory_fpr_exact(layout.m - 1, 300, 7), 0.01);
}

/* ---- the page's own filter ------------------------------------------------------------------- */

/* murmur2 of the text and the number of the probe, mod 256: positions of oracles computed
 * elsewhere. */
Test(stream_parts, positions_of_the_page)
{
    struct csv *table = csv_read("tests/data/seed_positions.csv");
    struct digest_family family = family_of("murmur2", FAMILY_SALTED, 32);
    struct stream_size size = size_of("classic");
    struct layout layout;
    struct error err;
    unsigned checked = 0;
    size.family = family;
    size.bits = 256;
    size.hashes = 3;
    cr_assert_eq(stream_size(&layout, &size, &err), OK, "%s", err.text);
    struct stream_unit *unit = malloc(sizeof *unit);
    cr_assert_eq(unit_open(unit, &family, 16, &err), OK);
    for (size_t r = 0; r < csv_rows(table); r++) {
        if (strcmp(csv_text(table, r, "scheme"), "seed000_murmur2_suffix") != 0)
            continue;
        const char *text = csv_text(table, r, "text");
        unsigned probe = (unsigned)csv_integer(table, r, "i");
        unit_empty(unit);
        cr_assert_eq(unit_append_id(unit, (const unsigned char *)text, strlen(text), &err), OK);
        cr_assert_eq(unit_close(unit, &err), OK);
        uint64_t digest, position;
        position = reduce(&layout.reducer,
                          *digests_column(unit_batch(unit, 0, 1), probe, NULL, 1, &digest));
        cr_expect_eq(position, csv_integer(table, r, "position_seed"), "%s, probe %u: %zu", text,
                     probe, (size_t)position);
        checked++;
    }
    cr_expect_geq(checked, 9);
    unit_release(unit);
    free(unit);
    csv_free(table);
}

/* ---- theory ---------------------------------------------------------------------------------- */

static struct layout layout_of(uint64_t m, uint64_t n, unsigned k, unsigned digest_bits)
{
    struct filter_params params = {
        .m = m, .n = n, .k = k, .digest_bits = digest_bits, .digest_columns = 256};
    struct layout layout;
    struct error err;
    cr_assert_eq(filter_find("classic")->plan(&layout, &params, &err), OK, "%s", err.text);
    return layout;
}

/* A day of 864 million ids and 32-bit digests, as others have computed it. */
Test(stream_parts, the_day_of_the_page)
{
    const uint64_t n = 864000000, m = 8281490439;
    static const struct {
        enum family family;
        unsigned bits, given, k;
        double end, day;
    } rows[] = {
        {FAMILY_SEEDED, 32, 32, 1, 0.182, 0.0942},
        {FAMILY_EXPANDED, 32, 64, 7, 0.187, 0.095},
        {FAMILY_SEEDED, 32, 32, 7, 0.140, 0.0299},
        {FAMILY_SPLIT, 64, 64, 7, 0.01004, 0.00166},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct layout layout =
            layout_of(rows[i].k == 1 ? UINT64_C(1) << 32 : m, n, rows[i].k, rows[i].given);
        struct stream_law law = {filter_find("classic"), &layout, true, rows[i].family,
                                 rows[i].bits};
        double end = stream_rate(&law, n), day = stream_lost(&law, 0, n) / (double)n;
        NEAR(end, rows[i].end, 4e-3);
        NEAR(day, rows[i].day, 5e-3);
    }
}

/* Sums by quadrature and rates by interpolation against each rate by itself. */
Test(stream_parts, sums_and_curves)
{
    static const unsigned probes[] = {1, 2, 7, 20};
    for (size_t i = 0; i < 4; i++) {
        const uint64_t n = 3000;
        struct layout layout = layout_of(29000, n, probes[i], 64);
        struct stream_law law = {filter_find("classic"), &layout, true, FAMILY_SPLIT, 64};
        struct stream_curve curve = {.law = law};
        double sum = 0, worst = 0;
        for (uint64_t j = 0; j < n; j++) {
            double rate = theory_fpr_exact(29000, j, probes[i]);
            sum += rate;
            if (j > n / 5)
                worst = fmax(worst, fabs(stream_curve_rate(&curve, j) / rate - 1));
        }
        NEAR(stream_lost(&law, 0, n), sum, 2e-3);
        cr_expect(worst < 5e-4, "k %u: the curve is off by %g", probes[i], worst);
        NEAR(stream_curve_rate(&curve, 9000), theory_fpr_exact(29000, 9000, probes[i]),
             1e-4); /* beyond what it was made for */
    }
}

/* Filters of a few bits are full after a few ids. */
Test(stream_parts, curves_of_tiny_filters)
{
    static const unsigned sizes[][2] = {{1, 1}, {2, 1}, {7, 2}, {64, 3}};
    for (size_t i = 0; i < 4; i++) {
        unsigned m = sizes[i][0], k = sizes[i][1];
        struct layout layout = layout_of(m, (uint64_t)ceil(m * M_LN2 / k), k, 64);
        struct stream_law law = {filter_find("classic"), &layout, true, FAMILY_SPLIT, 64};
        struct stream_curve curve = {.law = law};
        double sum = 0, exact = 0;
        for (uint64_t n = 0; n < 5000; n++) {
            sum += stream_curve_rate(&curve, n);
            exact += n ? theory_fpr_exact(m, n, k) : 0;
        }
        cr_expect_float_eq(sum, exact, 0.02, "m %u: %g of %g are lost", m, sum, exact);
    }
}

/* Smooth variants with few nodes, growing ones, which have kinks, with many; up to four times the
 * capacity, so that the curve is stretched twice. */
Test(stream_parts, curves_of_every_kind)
{
    static const struct {
        const char *name;
        uint64_t capacity;
        double off; /* of the sum */
    } kinds[] = {{"classic", 600, 1e-6},
                 {"partitioned", 600, 1e-6},
                 {"blocked", 600, 2e-5},
                 {"split_block", 600, 3e-5},
                 {"double_hashing", 30, 3e-3},
                 {"scalable_linear", 30000, 1e-3},
                 {"scalable_exponential", 30000, 1e-3}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct stream_size size = size_of(kinds[i].name);
        struct layout layout;
        struct error err;
        size.capacity = kinds[i].capacity;
        size.rate = 0.01;
        cr_assert_eq(stream_size(&layout, &size, &err), OK, "%s", err.text);
        struct stream_law law = {size.ops, &layout, true, FAMILY_SPLIT, 64};
        struct stream_curve curve = {.law = law};
        double sum = 0, curved = 0;
        for (uint64_t n = 0; n <= 4 * size.capacity; n += size.capacity / 10) {
            sum += stream_rate(&law, n);
            curved += stream_curve_rate(&curve, n);
        }
        NEAR(curved, sum, kinds[i].off);
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Ids of a few letters through filters too large to lose any, against the last place of each id:
 * one that came among the last N messages is found, one that did not among the last (S + 1) turns
 * is not. */
static void window_check(uint64_t messages, unsigned slices)
{
    struct stream_size size = size_of("classic");
    struct dedup_settings settings = {
        .window = messages, .slices = slices, .verify = true, .ops = size.ops, .discard = true};
    struct stream_writer writer;
    struct dedup *dedup = malloc(sizeof *dedup);
    struct stream_unit *unit = malloc(sizeof *unit);
    struct error err;
    uint64_t last[1000] = {0}, number = 0, turn = (messages - 1) / slices + 1;
    settings.family = size.family;
    size.bits = 1 << 16;
    size.hashes = 20;
    size.capacity = turn;
    cr_assert_eq(stream_size(&settings.layout, &size, &err), OK);
    cr_assert_eq(stream_writer_open(&writer, STDOUT_FILENO, &err), OK);
    cr_assert_eq(dedup_open(dedup, &settings, &writer, &err), OK);
    cr_assert_eq(unit_open(unit, &dedup->settings.family, settings.layout.columns, &err), OK);
    for (unsigned round = 0; round < 40; round++) {
        unsigned ids[FILTER_BATCH], count = 1 + (unsigned)(mix64(round) % FILTER_BATCH);
        unit_empty(unit);
        for (unsigned i = 0; i < count; i++) {
            uint64_t random = mix64(1000 * round + i);
            ids[i] = random % 3 ? (unsigned)(random >> 32) % 10 : (unsigned)(random >> 32) % 1000;
            cr_assert_eq(unit_append(unit,
                                     &(struct stream_message){.id = (unsigned char *)&ids[i],
                                                              .id_size = sizeof ids[i]},
                                     &err),
                         OK);
        }
        cr_assert_eq(unit_close(unit, &err), OK);
        cr_assert_eq(dedup_take(dedup, unit, &err), OK, "%s", err.text);
        for (unsigned i = 0; i < count; i++) {
            uint64_t age = ++number - last[ids[i]];
            bool before = last[ids[i]] > 0;
            cr_assert(!before || age > messages || unit->present[i], "forgotten after %zu",
                      (size_t)age);
            cr_assert((before && age < (slices + 1) * turn) || !unit->present[i],
                      "remembered for %zu", (size_t)age);
            last[ids[i]] = number;
        }
    }
    cr_assert_eq(dedup->missed, 0);
    cr_assert_eq(dedup->lost, 0);
    unit_release(unit);
    dedup_release(dedup);
    stream_writer_release(&writer);
    free(unit);
    free(dedup);
}

Test(stream_parts, windows)
{
    window_check(1, 1);
    window_check(1000, 4);
    window_check(700, 3);
    window_check(100, 100);
    window_check(5, 7);
}

/* ---- at once --------------------------------------------------------------------------------- */

static void feed_child(int in, int out)
{
    struct stream_size size = size_of("classic");
    struct dedup_settings settings = {.ops = size.ops, .end = '\n', .slices = 1};
    struct stream_writer writer;
    struct stream_reader reader;
    static struct dedup dedup;
    struct error err;
    settings.family = size.family;
    size.bits = 1 << 20;
    size.hashes = 7;
    bool fine = stream_size(&settings.layout, &size, &err) == OK &&
                stream_writer_open(&writer, out, &err) == OK &&
                dedup_open(&dedup, &settings, &writer, &err) == OK;
    stream_reader_open(&reader, in, "the pipe", STREAM_LINES);
    fine = fine && feed_run(&dedup, &reader, NULL, &err) == OK &&
           stream_writer_flush(&writer, &err) == OK;
    _exit(!fine);
}

/* Each line is read before the next is written: it would hang (and the alarm end it) if a message
 * were held back. The last two come together, in halves. */
Test(stream_parts, messages_go_out_before_it_waits, .timeout = 20)
{
    int to[2], from[2], status;
    cr_assert(pipe(to) == 0 && pipe(from) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(to[1]);
        close(from[0]);
        feed_child(to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    static const char *const sent[] = {"one\n", "two\n", "one\nth", "ree\none\nfo", "ur"};
    static const char *const got[] = {"one\n", "two\n", "", "three\n", ""};
    for (size_t i = 0; i < 5; i++) {
        char back[16] = "";
        cr_assert_eq(write(to[1], sent[i], strlen(sent[i])), (ssize_t)strlen(sent[i]));
        if (*got[i])
            cr_assert_eq(read(from[0], back, sizeof back - 1), (ssize_t)strlen(got[i]));
        cr_assert_str_eq(back, got[i]);
    }
    close(to[1]);
    char back[16] = "";
    cr_assert_eq(read(from[0], back, sizeof back - 1), 4);
    cr_assert_str_eq(back, "four");
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    close(from[0]);
}
