/* SPDX-License-Identifier: MIT
 *
 * source_002.c: an article on Bloom filters and HyperLogLog.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/theory/classic.h"
#include "filters/theory/hyperloglog.h"
#include "filters/theory/sizing.h"
#include "harness/claims/coins.h"
#include "harness/claims/properties.h"
#include "harness/plan/theory.h"

#define SOURCE_002_ROW(function)                                                                   \
    static enum status function(struct finding *finding, const struct claim *claim,                \
                                struct claim_lab *lab, struct error *err)

/* ---- a filter of 10^8 elements --------------------------------------------------------------- */

static const double source_002_rate = 0.01;
#define SOURCE_002_ELEMENTS UINT64_C(100000000)

SOURCE_002_ROW(source_002_memory)
{
    struct sizing sizing;
    (void)lab;
    enum status status = theory_size(&sizing, SOURCE_002_ELEMENTS, source_002_rate, err);
    if (status)
        return status;
    double bytes = (double)sizing.bytes;
    finding_computed(finding, "MB", claim->value[0], claim->unit[0], bytes / 1e6);
    finding_say(finding, "%.0f bytes = %.1f MB = %.2f MiB (%llu bits)", bytes, bytes / 1e6,
                ldexp(bytes, -20), (unsigned long long)sizing.m);
    finding_how(finding, "bloomlab size --n 1e8 --p 0.01");
    return OK;
}

SOURCE_002_ROW(source_002_hashes)
{
    struct sizing sizing;
    (void)lab;
    enum status status = theory_size(&sizing, SOURCE_002_ELEMENTS, source_002_rate, err);
    if (status)
        return status;
    double m = (double)sizing.m, n = (double)SOURCE_002_ELEMENTS;
    finding_computed(finding, "", claim->value[0], 0, sizing.k);
    finding_say(finding, "%u; (m/n) ln 2 = %.9g; the rate is then %.9g, with %u %.9g", sizing.k,
                m / n * M_LN2, theory_fpr_standard(sizing.m, SOURCE_002_ELEMENTS, sizing.k),
                sizing.k - 1, theory_fpr_standard(sizing.m, SOURCE_002_ELEMENTS, sizing.k - 1));
    finding_how(finding, "bloomlab size --n 1e8 --p 0.01");
    return OK;
}

static const char source_002_text[] =
    "name: claims-large\n"
    "question: Does a filter of 120 MB for 10^8 elements reach its rate?\n"
    "grid:\n"
    "  filter: [classic]\n"
    "  hash: [murmur3_x64_128]\n"
    "  keys: [random64]\n"
    "  m: [95850584]\n"
    "  n: [10000000]\n"
    "  k: [optimal]\n"
    "trials: 2\n"
    "queries: 5000000\n"
    "seed: 1\n"
    "scales:\n"
    "  full:\n"
    "    grid: {filter: [classic], hash: [murmur3_x64_128], keys: [random64],\n"
    "           m: [958505838], n: [100000000], k: [optimal]}\n"
    "    trials: 2\n"
    "    queries: 50000000\n"
    "  quick:\n"
    "    grid: {filter: [classic], hash: [murmur3_x64_128], keys: [random64],\n"
    "           m: [9585059], n: [1000000], k: [optimal]}\n"
    "    trials: 2\n"
    "    queries: 500000\n";

/* The filter itself, at a tenth of its size unless the scale is full. */
SOURCE_002_ROW(source_002_measured)
{
    const struct claim_run *run;
    struct cell_summary summary;
    enum status status = claim_lab_run(&run, lab, source_002_text, err);
    if (status)
        return status;
    const struct cell *cell = &run->plan->cells[0];
    if (cell->layout.m != theory_size_bits(cell->n, source_002_rate))
        return fail(err, E_RUN, "claims-large: %llu bits are not those of %llu elements at 1 %%",
                    (unsigned long long)cell->layout.m, (unsigned long long)cell->n);
    status = claim_summary(&summary, run, cell, err);
    if (status)
        return status;
    const struct judgement *judgement = &summary.judgement;
    double claimed = theory_fpr_standard(cell->layout.m, cell->n, cell->layout.k);
    finding_measured(finding, "of strangers pass", claimed, judgement->fpr, judgement->fpr_interval,
                     judgement->model_test.z);
    finding_computed(finding, "hash functions", claim->value[1], 0, cell->layout.k);
    finding_aside(finding, "bytes", (double)summary.memory_bytes);
    finding_say(finding, "%.6g (z = %.2f) with %llu elements in %llu bytes, k = %u; %llu lost",
                judgement->fpr, judgement->model_test.z, (unsigned long long)cell->n,
                (unsigned long long)summary.memory_bytes, cell->layout.k,
                (unsigned long long)summary.false_negatives);
    finding_holds(finding, summary.false_negatives == 0, CLAIM_REFUTED);
    finding_how(finding, "bloomlab sweep sweeps/claims-large.yaml; --scale full has all 10^8");
    return OK;
}

/* ---- HyperLogLog ----------------------------------------------------------------------------- */

enum { SOURCE_002_PRECISION = 14 };

static enum status source_002_plan(struct layout *layout, struct error *err)
{
    const struct filter_ops *ops = filter_find("hyperloglog");
    struct filter_params params = {
        .n = SOURCE_002_ELEMENTS, .digest_bits = 64, .digest_columns = 1};
    filter_params_defaults(&params, ops);
    char precision[8];
    snprintf(precision, sizeof precision, "%d", SOURCE_002_PRECISION);
    enum status status = filter_params_set(&params, ops, "precision", precision, err);
    return status ? status : ops->plan(layout, &params, err);
}

SOURCE_002_ROW(source_002_hll_memory)
{
    struct layout layout;
    (void)lab;
    enum status status = source_002_plan(&layout, err);
    if (status)
        return status;
    double bytes = (double)layout.bytes;
    finding_computed(finding, "KiB", claim->value[0], claim->unit[0], bytes / 1024);
    finding_say(finding, "%.0f bytes = %.9g KiB", bytes, bytes / 1024);
    finding_how(finding, "memory of the filter hyperloglog at precision 14");
    return OK;
}

SOURCE_002_ROW(source_002_buckets)
{
    struct layout layout;
    (void)lab;
    enum status status = source_002_plan(&layout, err);
    if (status)
        return status;
    finding_computed(finding, "", claim->value[0], 0, (double)layout.m);
    finding_how(finding, "bloomlab predict --filter hyperloglog --param precision=14 --n 1e8: "
                         "m_actual");
    return OK;
}

SOURCE_002_ROW(source_002_registers)
{
    struct layout layout;
    (void)lab;
    enum status status = source_002_plan(&layout, err);
    if (status)
        return status;
    finding_computed(finding, "bits", claim->value[0], 0, 8 * (double)layout.bytes);
    finding_computed(finding, "bytes", claim->value[1], 0, (double)layout.bytes);
    finding_how(finding, "memory of the filter hyperloglog at precision 14");
    return OK;
}

/* 64 bits less those of the bucket. */
SOURCE_002_ROW(source_002_zeros)
{
    const int rest = 64 - SOURCE_002_PRECISION, values = 1 << 6;
    (void)claim, (void)lab, (void)err;
    finding_aside(finding, "zeros at most after the bits of the bucket", rest);
    finding_aside(finding, "is the greatest rho", rest + 1);
    finding_aside(finding, "is the greatest value of 6 bits", values - 1);
    finding_say(
        finding,
        "%d zeros at most behind the %d bits of the bucket, rho <= %d: fits the 6 bits (0 .. "
        "%d) that 64 would not",
        rest, SOURCE_002_PRECISION, rest + 1, values - 1);
    finding_holds(finding, rest == 64, CLAIM_AMBIGUOUS);
    finding_how(finding, "bits of a digest less those of the bucket");
    return OK;
}

static const char source_002_hll_text[] =
    "name: claims-hyperloglog\n"
    "question: How far off are HyperLogLog's estimates of 16384 registers?\n"
    "grid:\n"
    "  filter: [{name: hyperloglog, precision: 14}]\n"
    "  hash: [murmur3_x64_128]\n"
    "  keys: [random64]\n"
    "  n: [300000]\n"
    "trials: 1000\n"
    "queries: 0\n"
    "seed: 1\n"
    "scales:\n"
    "  full:\n"
    "    grid: {filter: [{name: hyperloglog, precision: 14}], hash: [murmur3_x64_128],\n"
    "           keys: [random64], n: [10000000]}\n"
    "    trials: 1000\n"
    "  quick: {trials: 150}\n";

/* measure / n of each trial, from malloc; *trials: how many. */
static enum status source_002_ratios(double **ratio, size_t *trials, struct claim_lab *lab,
                                     const char *measure, struct error *err)
{
    const struct claim_run *run;
    enum status status = claim_lab_run(&run, lab, source_002_hll_text, err);
    if (status)
        return status;
    const struct cell *cell = &run->plan->cells[0];
    *trials = (size_t)cell->trials;
    *ratio = malloc(*trials * sizeof **ratio);
    if (!*ratio)
        return fail(err, E_RUN, "no memory for %zu ratios", *trials);
    for (size_t t = 0; t < *trials; t++)
        (*ratio)[t] = trial_measure(&claim_trials(run, cell)[t], measure, NAN) / (double)cell->n;
    return OK;
}

static const char source_002_hll_how[] = "bloomlab sweep sweeps/claims-hyperloglog.yaml";

/* Standard deviation of so many normal values, with its interval by the normal limit: good from
 * hundreds on. */
SOURCE_002_ROW(source_002_hll_error)
{
    double *ratio, theory = 100 * theory_hll_standard_error(SOURCE_002_PRECISION);
    size_t trials;
    enum status status = source_002_ratios(&ratio, &trials, lab, "cardinality_2007", err);
    if (status)
        return status;
    double sd = 100 * sqrt(stats_moments(ratio, trials).variance);
    double error = sd / sqrt(2 * (double)trials), reach = stats_normal_quantile(0.975) * error;
    free(ratio);
    finding_computed(finding, "%", claim->value[0], claim->unit[0], theory);
    finding_measured(finding, "% measured", theory, sd, (struct interval){sd - reach, sd + reach},
                     (sd - theory) / error);
    finding_how(finding, "1.04 / sqrt(16384); %s: cardinality_2007", source_002_hll_how);
    return OK;
}

/* One standard error is no bound. */
SOURCE_002_ROW(source_002_hll_below)
{
    double *ratio;
    size_t trials;
    uint64_t below = 0;
    double limit = claim->value[0] / 100;
    enum status status = source_002_ratios(&ratio, &trials, lab, "cardinality_2007", err);
    if (status)
        return status;
    for (size_t t = 0; t < trials; t++)
        below += fabs(ratio[t] - 1) < limit;
    free(ratio);
    double normal =
        1 - stats_normal_two_sided(limit / theory_hll_standard_error(SOURCE_002_PRECISION));
    finding_share(finding, "of estimates are less than 1 % off", normal, below, trials);
    finding_say(
        finding,
        "%.6g of %zu estimates are less than 1 %% off (z = %.2f), %.9g by the normal law: as "
        "a usual error true, as a bound false",
        finding->reading[0].value, trials, finding->reading[0].z, normal);
    finding_holds(finding, below == trials, CLAIM_AMBIGUOUS);
    finding_how(finding, "%s: cardinality_2007", source_002_hll_how);
    return OK;
}

/* M = zeros in place of zeros + 1 halves every 2^M. */
SOURCE_002_ROW(source_002_rho)
{
    double *zeros = NULL, *plus_one = NULL;
    size_t trials;
    (void)claim;
    enum status status = source_002_ratios(&zeros, &trials, lab, "cardinality_wrong_rho", err);
    if (!status)
        status = source_002_ratios(&plus_one, &trials, lab, "cardinality_2007", err);
    if (!status) {
        finding_mean(finding, "of the true number with rho = zeros", 1, zeros, trials);
        finding_mean(finding, "with rho = zeros + 1", 1, plus_one, trials);
    }
    free(zeros);
    free(plus_one);
    if (status)
        return status;
    finding_say(finding,
                "%.6g of the true number with rho = zeros; right is rho = zeros + 1 (%.6g)",
                finding->reading[0].value, finding->reading[1].value);
    finding_how(finding,
                "%s: cardinality_wrong_rho, cardinality_2007; Flajolet et al. 2007: rho is "
                "the place of the leftmost 1",
                source_002_hll_how);
    return OK;
}

/* ---- the rest -------------------------------------------------------------------------------- */

SOURCE_002_ROW(source_002_years)
{
    (void)claim, (void)lab, (void)err;
    finding_say(finding, "bibliography; this project cites: %s; %s", filter_find("classic")->source,
                filter_find("hyperloglog")->source);
    finding->verdict = CLAIM_EXTERNAL;
    finding_how(finding, "years of publication; bloomlab list filters");
    return OK;
}

/* The two formulas against the exact rate at the sizes of the source, and at small ones. */
SOURCE_002_ROW(source_002_formulas)
{
    static const struct {
        uint64_t m, n;
    } sizes[] = {{64, 8}, {1024, 100}, {9586, 1000}, {958505838, SOURCE_002_ELEMENTS}};
    (void)claim, (void)lab, (void)err;
    bool best = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t m = sizes[i].m, n = sizes[i].n;
        unsigned k = theory_best_k(m, n, FILTER_K_MAX);
        double standard = theory_fpr_standard(m, n, k), exact = theory_fpr_exact(m, n, k);
        best = best && fabs(k - (double)m / (double)n * M_LN2) < 1 && standard <= exact;
        finding_say(finding, "%s%.6g at m = %llu, n = %llu, k = %u", i ? ", " : "",
                    standard / exact, (unsigned long long)m, (unsigned long long)n, k);
    }
    finding_say(finding, ": the approximation over the exact rate; the best whole k lies next to "
                         "(m/n) ln 2");
    finding_holds(finding, best, CLAIM_REFUTED);
    finding_how(finding, "bloomlab predict --filter classic --k optimal: fpr_standard, fpr_exact");
    return OK;
}

static const struct claim source_002_claims[] = {
    {"n=1e8, p=0.01: memory", "about 120 MB", {120}, {1}, false, source_002_memory},
    {"n=1e8, p=0.01: hash functions", "7", {7}, {0}, false, source_002_hashes},
    {"hash table alternative", "several to more than ten GB", {0}, {0}, false, second_visit_table},
    {"P(tail first)", "1/2", {0.5}, {0}, false, coins_first},
    {"P(2 heads then tail)", "1/8", {0.125}, {0}, false, coins_third},
    {"P(k heads in a row)", "1/2^k", {0}, {0}, false, coins_heads},
    {"10 heads in a row -> about 1024 trials", "2^10=1024", {1024}, {0}, false, coins_ten},
    {"HLL memory", "about 12 KB", {12}, {1}, false, source_002_hll_memory},
    {"HLL standard error", "about 0.81 %", {0.81}, {0.01}, false, source_002_hll_error},
    {"error below 1 %", "<1 %", {1}, {0}, false, source_002_hll_below},
    {"p=14 buckets", "16384", {16384}, {0}, false, source_002_buckets},
    {"maximum run of zeros with a 64-bit hash",
     "at most 64, 6 bits (2^6=64)",
     {64},
     {0},
     false,
     source_002_zeros},
    {"registers in bits / bytes",
     "98304 bits = 12288 bytes",
     {98304, 12288},
     {0},
     false,
     source_002_registers},
    {"rho(x) = number of leading zeros with E=alpha m^2/sum 2^-M",
     "definition",
     {0},
     {0},
     false,
     source_002_rho},
    {"Bloom 1970 / HLL 2007", "years", {1970, 2007}, {0}, false, source_002_years},
    {"p ~ (1-e^{-kn/m})^k, k=(m/n) ln 2", "formulae", {0}, {0}, false, source_002_formulas},
    {"rate of the filter for 1e8 elements at 1 %",
     "0.01, 7 hash functions",
     {0.01, 7},
     {0},
     false,
     source_002_measured},
    {"a no is certain", "qualitative", {0}, {0}, false, property_no_is_certain},
    {"caching from the second visit on is more efficient",
     "qualitative",
     {0},
     {0},
     false,
     second_visit_cache},
    {"a set of hundreds of millions or billions of elements",
     "hundreds of GB",
     {100e9},
     {0},
     false,
     second_visit_set},
};

const struct claim_source claim_source_002 = {
    .name = "002_525680185c686c2d.txt",
    .title = "002: Bloom filters and HyperLogLog",
    .claims = source_002_claims,
    .count = sizeof source_002_claims / sizeof source_002_claims[0],
};
