/* SPDX-License-Identifier: MIT
 *
 * source_004.c: an article on scraping with Bloom filters, and its classes in Python: sized by
 * capacity and error rate, and growing.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/theory/cardinality.h"
#include "filters/theory/classic.h"
#include "filters/theory/sizing.h"
#include "filters/theory/width.h"
#include "harness/claims/growth.h"
#include "harness/claims/hash_times.h"
#include "harness/claims/lookups.h"
#include "harness/claims/properties.h"
#include "harness/claims/set_sizes.h"

#define SOURCE_004_ROW(function)                                                                   \
    static enum status function(struct finding *finding, const struct claim *claim,                \
                                struct claim_lab *lab, struct error *err)

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The source's expressions, in doubles as there. */
static double source_004_size(double capacity, double rate)
{
    return ceil(-(capacity * log(rate)) / (M_LN2 * M_LN2));
}

static double source_004_hashes(double size, double capacity)
{
    return ceil(size / capacity * M_LN2);
}

static const double source_004_capacities[] = {1, 10, 1000, 9586, 50000, 1e6, 1e8, 1e9};
static const double source_004_rates[] = {0.5, 0.1, 1.0 / 16, 0.01, 1.0 / 128, 1e-3, 1e-6, 1e-9};
enum { SOURCE_004_SIZES = 8 };

SOURCE_004_ROW(source_004_size_formula)
{
    unsigned same = 0, all = 0;
    (void)claim, (void)lab, (void)err;
    for (int i = 0; i < SOURCE_004_SIZES; i++)
        for (int j = 0; j < SOURCE_004_SIZES; j++, all++)
            same +=
                source_004_size(source_004_capacities[i], source_004_rates[j]) ==
                (double)theory_size_bits((uint64_t)source_004_capacities[i], source_004_rates[j]);
    finding_aside(finding, "sizes of as many tried agree", same);
    finding_holds(finding, same == all, CLAIM_REFUTED);
    finding_say(finding, "%u of %u sizes in doubles are those at high precision", same, all);
    finding_how(finding, "bloomlab size --n N --p P, n = 1 .. 10^9, p = 0.5 .. 10^-9");
    return OK;
}

/* The rate reached by size and hash_count for one capacity and rate. */
static double source_004_reached(double capacity, double rate, double *size, double *hashes)
{
    *size = source_004_size(capacity, rate);
    *hashes = source_004_hashes(*size, capacity);
    return theory_fpr_bloom((uint64_t)*size, (uint64_t)capacity, (unsigned)*hashes);
}

/* Where the target is 2^-j, rounding up gives one function too many. */
SOURCE_004_ROW(source_004_hash_count)
{
    const double capacity = 50000, rate = 1.0 / 16;
    double size, hashes, reached = source_004_reached(capacity, rate, &size, &hashes);
    unsigned best = theory_best_k((uint64_t)size, (uint64_t)capacity, FILTER_K_MAX);
    double at_best = theory_fpr_bloom((uint64_t)size, (uint64_t)capacity, best);
    (void)claim, (void)lab, (void)err;
    finding_computed(finding, "hash functions", hashes, 0, best);
    finding_aside(finding, "is the rate with ceil", reached);
    finding_aside(finding, "with the best k", at_best);
    finding_say(finding, "%.0f for %.0f elements at 1/16 (%.0f bits): rate %.9g; right is %u: %.9g",
                hashes, capacity, size, reached, best, at_best);
    finding_how(finding,
                "bloomlab size --n 50000 --p 0.0625; bloomlab predict --filter classic --m "
                "288540 --n 50000 --k 4..5: fpr_bloom");
    return OK;
}

static const char source_004_sizes_text[] =
    "name: claims-sizes\n"
    "question: Do sizes rounded up keep the rate they are made for?\n"
    "grid:\n"
    "  - {filter: [classic], hash: [{name: murmur3_x86_32, family: seeded}], keys: [url],\n"
    "     m: [9586], n: [1000], k: [7]}\n"
    "  - {filter: [classic], hash: [{name: murmur3_x86_32, family: seeded}], keys: [url],\n"
    "     m: [288540], n: [50000], k: [4, 5]}\n"
    "trials: 60\n"
    "queries: 200000\n"
    "seed: 1\n"
    "scales:\n"
    "  quick: {trials: 10, queries: 50000}\n";

/* Rounding bits and functions up does not keep the promise. */
SOURCE_004_ROW(source_004_guarantee)
{
    const struct claim_run *run;
    struct cell_summary summary;
    double kept = 0, tried = 0, size, hashes;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, source_004_sizes_text, err);
    const struct cell *cell = status ? NULL : claim_cell(run, NULL, 288540, 5);
    if (!status)
        status = claim_summary(&summary, run, cell, err);
    if (status)
        return status;
    for (int i = 2; i < SOURCE_004_SIZES; i++)
        for (int j = 1; j < SOURCE_004_SIZES; j++, tried++)
            kept += source_004_reached(source_004_capacities[i], source_004_rates[j], &size,
                                       &hashes) <= source_004_rates[j];
    double small = source_004_reached(1000, 0.01, &size, &hashes);
    finding_computed(finding, "for 1000 elements at 0.01", 0.01, 0, small);
    finding_measured(finding, "for 50000 at 1/16, k = 5", NAN, summary.judgement.fpr,
                     summary.judgement.fpr_interval, NAN);
    finding_holds(finding, kept == tried, CLAIM_REFUTED);
    finding_say(finding,
                "%.9g for 1000 elements at 0.01 (m = %.0f, k = %.0f); %.6g measured for 50000 at "
                "1/16; %.0f of %.0f targets are kept",
                small, size, hashes, summary.judgement.fpr, kept, tried);
    finding_how(finding, "bloomlab predict --filter classic --m 9586 --n 1000 --k 7: fpr_bloom; "
                         "bloomlab sweep sweeps/claims-sizes.yaml");
    return OK;
}

SOURCE_004_ROW(source_004_percent)
{
    (void)lab, (void)err;
    finding_computed(finding, "%", 100 * claim->value[0], 0, 1);
    finding_how(finding, "arithmetic");
    return OK;
}

/* Bloom's own formula: a lower bound of the exact rate, close to it. */
SOURCE_004_ROW(source_004_rate_formula)
{
    const uint64_t m = 9586, n = 1000;
    const unsigned k = 7;
    const double inner = pow(1 - 1 / (double)m, (double)k * (double)n);
    double formula = pow(1 - inner, k), bloom = theory_fpr_bloom(m, n, k);
    double exact = theory_fpr_exact(m, n, k);
    (void)claim, (void)lab, (void)err;
    finding_computed(finding, "", bloom, 1e-9 * bloom, formula);
    finding_aside(finding, "exactly", exact);
    finding_holds(finding, bloom <= exact, CLAIM_REFUTED);
    finding_say(finding,
                "%.9g at m = 9586, n = 1000, k = 7; %.9g exactly: a bound from below, as "
                "an approximation good",
                formula, exact);
    finding_how(finding, "bloomlab predict --filter classic --m 9586 --n 1000 --k 7: fpr_bloom, "
                         "fpr_exact");
    return OK;
}

/* The estimate of n from the bits, and what ceil adds to it. */
SOURCE_004_ROW(source_004_count)
{
    const struct claim_run *run;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, source_004_sizes_text, err);
    if (status)
        return status;
    const struct cell *cell = claim_cell(run, NULL, 9586, 7);
    double plain[64], up[64];
    for (uint64_t t = 0; t < cell->trials; t++) {
        const struct trial_result *trial = &claim_trials(run, cell)[t];
        plain[t] = theory_cardinality(cell->layout.m, cell->layout.k, trial->bits_set);
        up[t] = ceil(plain[t]) - plain[t];
    }
    finding_mean(finding, "for 1000 elements", (double)cell->n, plain, (size_t)cell->trials);
    finding_mean(finding, "more by ceil", NAN, up, (size_t)cell->trials);
    finding_say(finding,
                "%.6g for 1000 elements, mean of %" PRIu64 " filters (z = %.2f); ceil adds "
                "%.6g; infinite when every bit is set",
                finding->reading[0].value, cell->trials, finding->reading[0].z,
                finding->reading[1].value);
    finding_how(finding, "bloomlab sweep sweeps/claims-sizes.yaml: cardinality");
    return OK;
}

/* ---- hash values ----------------------------------------------------------------------------- */

/* Positions of "0" .. "9999" under seeds 0 .. 6 that differ between a signed and an unsigned hash.
 */
static double source_004_differing(uint64_t size)
{
    enum { KEYS = 10000, SEEDS = 7 };
    const struct hash *hash = hash_find("murmur3_x86_32");
    unsigned differing = 0;
    for (int i = 0; i < KEYS; i++) {
        char key[16];
        size_t length = (size_t)snprintf(key, sizeof key, "%d", i);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            uint32_t value = (uint32_t)hash->one(key, length, seed).word[0];
            int64_t rest = (int64_t)(int32_t)value % (int64_t)size;
            differing += (uint64_t)(rest < 0 ? rest + (int64_t)size : rest) != value % size;
        }
    }
    return (double)differing / (KEYS * SEEDS);
}

SOURCE_004_ROW(source_004_mmh3)
{
    double odd = source_004_differing(9586), power = source_004_differing(8192);
    (void)claim, (void)lab, (void)err;
    finding_aside(finding, "of positions differ at size 9586", odd);
    finding_aside(finding, "at size 8192", power);
    finding_say(finding,
                "signed, with a remainder >= 0, or unsigned: %.6g of the positions differ at size "
                "9586, %.6g at size 8192; the source's are the signed ones",
                odd, power);
    finding_holds(finding, odd == 0, CLAIM_AMBIGUOUS);
    finding_how(finding, "bloomlab trace --hash murmur3_x86_32 --m 9586 --k 7, with and without "
                         "--signed, of \"0\" .. \"9999\"");
    return OK;
}

SOURCE_004_ROW(source_004_wide)
{
    const double ids = 864e6, rate = 0.01;
    const unsigned bits = hash_find("murmur3_x86_32")->bits;
    uint64_t m = theory_size_bits((uint64_t)ids, rate);
    double unreachable = theory_unreachable(m, bits);
    (void)claim, (void)lab, (void)err;
    finding_aside(finding, "bits for 864e6 elements at 1 %", (double)m);
    finding_aside(finding, "of them no 32-bit hash reaches", unreachable);
    finding_say(finding,
                "%" PRIu64 " bits for 864e6 elements at 1 %%, of which %.6g are out of a 32-bit "
                "hash's reach: a digest of 64 bits is needed beyond %.0f",
                m, unreachable, ldexp(1, (int)bits));
    finding_holds(finding, unreachable == 0, CLAIM_REFUTED);
    finding_how(finding, "bloomlab size --n 864e6 --p 0.01");
    return OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct claim source_004_claims[] = {
    {"size = ceil(-capacity ln(err)/(ln2)^2)", "formula", {0}, {0}, false, source_004_size_formula},
    {"hash_count = ceil(size/capacity ln 2)", "formula", {0}, {0}, false, source_004_hash_count},
    {"\"ceil guarantees the requirements\"", "qualitative", {0}, {0}, false, source_004_guarantee},
    {"error_rate 0.01 = 1 %", "0.01", {0.01}, {0}, false, source_004_percent},
    {"calc_error_rate = (1-(1-1/m)^(kn))^k", "formula", {0}, {0}, false, source_004_rate_formula},
    {"calc_element_count = ceil(-m ln(1-x/m)/k)", "formula", {0}, {0}, false, source_004_count},
    {"mmh3.hash(element, seed) % size", "formula", {0}, {0}, false, source_004_mmh3},
    {"32-bit hash with size > 2^32", "-", {0}, {0}, false, source_004_wide},
    {"intersection element_count from AND popcount",
     "formula",
     {0},
     {0},
     false,
     set_sizes_intersection},
    {"union element_count = a+b", "formula", {0}, {0}, false, set_sizes_union},
    {"linear capacity int(c0*(s*len))", "formula", {0}, {0}, false, growth_linear},
    {"exponential capacity int(c0*(s**len))", "formula", {0}, {0}, false, growth_exponential},
    {"each new filter uses the same error_rate",
     "constant",
     {0.01},
     {0},
     false,
     growth_constant_rate},
    {"miss costs the same in either scan order", "qualitative", {0}, {0}, false, lookups_miss},
    {"not-found lookups in reversed order find recent elements sooner",
     "qualitative",
     {0},
     {0},
     false,
     lookups_recent},
    {"cryptographic hash functions are slower",
     "qualitative",
     {0},
     {0},
     true,
     hash_times_cryptographic},
    {"a no is certain", "qualitative", {0}, {0}, false, property_no_is_certain},
    {"exponential growth serves better than linear", "qualitative", {0}, {0}, false, growth_better},
};

const struct claim_source claim_source_004 = {
    .name = "004_45529e1a7e806faf.txt",
    .title = "004: filters for a scraper, fixed and growing",
    .claims = source_004_claims,
    .count = sizeof source_004_claims / sizeof source_004_claims[0],
};
