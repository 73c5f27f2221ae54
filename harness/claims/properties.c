/* SPDX-License-Identifier: MIT */
#include "harness/claims/properties.h"

#include <math.h>
#include <stdio.h>

#include "filters/theory/classic.h"
#include "filters/theory/deletion.h"

/* ---- a no is certain ------------------------------------------------------------------------- */

static const char property_certain_text[] =
    "name: claims-certain\n"
    "question: Is a member ever told to be absent?\n"
    "grid:\n"
    "  filter: [classic, double_hashing, partitioned, blocked, split_block, counting,\n"
    "           scalable_exponential]\n"
    "  hash: [murmur3_x64_128, {name: murmur2, family: salted}]\n"
    "  keys: [uuid4, url]\n"
    "  m: [65536]\n"
    "  bits_per_key: [2, 10]\n"
    "  k: [3]\n"
    "trials: 10\n"
    "queries: 1000\n"
    "seed: 1\n"
    "scales:\n"
    "  quick: {trials: 2}\n";

enum status property_no_is_certain(struct finding *finding, const struct claim *claim,
                                   struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    uint64_t members = 0, lost = 0, filters = 0;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, property_certain_text, err);
    if (status)
        return status;
    for (size_t c = 0; c < run->plan->cell_count; c++)
        for (uint64_t t = 0; t < run->plan->cells[c].trials; t++, filters++) {
            const struct trial_result *trial = &claim_trials(run, &run->plan->cells[c])[t];
            members += trial->n_distinct;
            lost += trial->false_negatives;
        }
    finding_computed(finding, "members told to be absent", 0, 0, (double)lost);
    finding_say(finding, "%llu of %llu members of %llu filters are told to be absent",
                (unsigned long long)lost, (unsigned long long)members, (unsigned long long)filters);
    finding_how(finding, "bloomlab sweep sweeps/claims-certain.yaml: false_negatives");
    return OK;
}

/* ---- larger hashes --------------------------------------------------------------------------- */

enum { PROPERTY_IDS = 40, PROPERTY_HASHES = 3, PROPERTY_NARROW = 4, PROPERTY_WIDE = 32 };

/* A vector of 2^n bits has a bit for each value of a hash of n bits. */
enum status property_wide_less_error(struct finding *finding, const struct claim *claim,
                                     struct claim_lab *lab, struct error *err)
{
    bool falls = true;
    double before = 1;
    (void)claim, (void)lab, (void)err;
    for (unsigned bits = PROPERTY_NARROW; bits <= PROPERTY_WIDE; bits++) {
        double rate = theory_fpr_exact(UINT64_C(1) << bits, PROPERTY_IDS, PROPERTY_HASHES);
        falls = falls && rate < before;
        before = rate;
        if (bits == 8 || bits == 16 || bits == PROPERTY_WIDE)
            finding_say(finding, "%.9g with %u bits, ", rate, bits);
    }
    finding_say(finding, "for %d ids and %d hash functions: falls with each bit from %d to %d",
                PROPERTY_IDS, PROPERTY_HASHES, PROPERTY_NARROW, PROPERTY_WIDE);
    finding_holds(finding, falls, CLAIM_REFUTED);
    finding_how(finding, "bloomlab predict --filter classic --m 2^8 --n 40 --k 3: fpr_exact");
    return OK;
}

static enum status property_bytes(double *bytes, const char *filter, uint64_t m, struct error *err)
{
    struct layout layout;
    const struct filter_ops *ops = filter_find(filter);
    struct filter_params params = {.m = m,
                                   .n = PROPERTY_IDS,
                                   .k = PROPERTY_HASHES,
                                   .digest_bits = 64,
                                   .digest_columns = FAMILY_UNLIMITED};
    filter_params_defaults(&params, ops);
    enum status status = ops->plan(&layout, &params, err);
    *bytes = status ? NAN : (double)layout.bytes;
    return status;
}

/* Hash functions of n bits have 2^n values: more of them need no bit more. */
enum status property_wide_more_space(struct finding *finding, const struct claim *claim,
                                     struct claim_lab *lab, struct error *err)
{
    static const unsigned widths[] = {8, 9, 16, 32};
    double bytes[4] = {0};
    enum status status = OK;
    (void)claim, (void)lab;
    for (int i = 0; !status && i < 4; i++)
        status = property_bytes(&bytes[i], "classic", UINT64_C(1) << widths[i], err);
    finding_computed(finding, "times the bytes for a bit more", 2, 0, bytes[1] / bytes[0]);
    finding_say(finding,
                "%.0f bytes with 8 bits, %.0f with 9, %.0f with 16, %.0f with 32: each "
                "bit more doubles the vector",
                bytes[0], bytes[1], bytes[2], bytes[3]);
    finding_how(finding, "bloomlab predict --filter classic --m 2^8 --n 40 --k 3: bytes");
    return status;
}

/* ---- removal --------------------------------------------------------------------------------- */

/* Clearing an element's bits loses others; counters in place of bits take it out. */
enum status property_no_removal(struct finding *finding, const struct claim *claim,
                                struct claim_lab *lab, struct error *err)
{
    const uint64_t m = 256;
    double others = PROPERTY_IDS - 1;
    double harm = theory_overlap_independent(m, PROPERTY_HASHES, others);
    double lost = others * theory_overlap_independent(m, PROPERTY_HASHES, 1);
    bool counters = filter_find("counting")->remove != NULL;
    (void)claim, (void)lab, (void)err;
    finding_aside(finding, "of removals lose another id", harm);
    finding_aside(finding, "ids lost by one on average", lost);
    finding_say(finding,
                "by clearing bits %.9g of removals lose another of %d ids, %.9g of them on average "
                "(256 bits, 3 hash functions); counters in place of bits can remove",
                harm, PROPERTY_IDS, lost);
    finding_holds(finding, harm == 0 || !counters, CLAIM_AMBIGUOUS);
    finding_how(finding, "overlap of independent positions; experiments of workload deletion, "
                         "filters classic and counting");
    return OK;
}

enum status property_counters(struct finding *finding, const struct claim *claim,
                              struct claim_lab *lab, struct error *err)
{
    const uint64_t m = 64;
    double bits, counters = NAN;
    (void)claim, (void)lab;
    enum status status = property_bytes(&bits, "classic", m, err);
    if (!status)
        status = property_bytes(&counters, "counting", m, err);
    finding_aside(finding, "times the bytes", counters / bits);
    finding_say(finding, "%.9g times the bytes with counters of 4 bits (%.0f and %.0f for 64)",
                counters / bits, counters, bits);
    finding_holds(finding, counters > bits, CLAIM_REFUTED);
    finding_how(finding, "bloomlab predict --filter counting --m 64 --n 8 --k 3, and classic: "
                         "bytes");
    return status;
}

/* ---- length of the keys ---------------------------------------------------------------------- */

static const char property_length_text[] =
    "name: claims-key-length\n"
    "question: Does the length of the keys change the rate?\n"
    "grid:\n"
    "  filter: [classic]\n"
    "  hash: [murmur3_x64_128]\n"
    "  keys: [letters, random64, uuid4, url]\n"
    "  m: [288539]\n"
    "  n: [50000]\n"
    "  k: [4]\n"
    "trials: 20\n"
    "queries: 50000\n"
    "seed: 1\n"
    "scales:\n"
    "  quick: {trials: 4, queries: 10000}\n";

enum status property_word_length(struct finding *finding, const struct claim *claim,
                                 struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = claim_lab_run(&run, lab, property_length_text, err);
    for (size_t c = 0; !status && c < run->plan->cell_count; c++) {
        const struct cell *cell = &run->plan->cells[c];
        struct cell_summary summary;
        char name[FINDING_NAME_MAX];
        status = claim_summary(&summary, run, cell, err);
        if (status)
            break;
        snprintf(name, sizeof name, "with keys of %zu bytes at most",
                 key_source_longest(cell->source->source));
        finding_measured(finding, name, summary.theory.exact, summary.judgement.fpr,
                         summary.judgement.fpr_interval, summary.judgement.model_test.z);
    }
    (void)claim;
    finding_how(finding, "bloomlab sweep sweeps/claims-key-length.yaml");
    return status;
}
