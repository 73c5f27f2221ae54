/* SPDX-License-Identifier: MIT
 *
 * page_sets.c: what the page says of other sets of words than its own, over many sets drawn at
 * random: letters a-z, 3 to 7 of them. Its own are three-letter animals; what matters is only that
 * they are others.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/theory/classic.h"
#include "filters/theory/double_hashing.h"
#include "harness/claims/page.h"

enum {
    SETS_PAGE = 150, /* as many the page took */
    SETS_GRID = 20,  /* at most */
    GRID_N_MAX = 64,
};

static const char sets_all_k[] = "\"1..16\"";

/* 100 hits / queries of each trial of a cell, from malloc. */
static double *sets_percent(const struct claim_run *run, const struct cell *cell)
{
    double *percent = malloc((size_t)cell->trials * sizeof *percent);
    for (uint64_t t = 0; percent && t < cell->trials; t++) {
        const struct trial_result *trial = &claim_trials(run, cell)[t];
        percent[t] = 100 * (double)trial->false_positives / (double)trial->queries;
    }
    return percent;
}

/* All cells have as many trials. */
static unsigned sets_count(const struct claim_run *run)
{
    return (unsigned)run->plan->cells[0].trials;
}

static double sets_expected(uint64_t m, uint64_t n, unsigned k)
{
    struct two_hash scheme = {.law = LAW_DOUBLE, .odd = true, .m = m, .k = k};
    return theory_two_hash_exact(&scheme, n);
}

/* ---- 16 words in 128 bits -------------------------------------------------------------------- */

/* The k of the least count of a trial, the smaller on ties. */
static unsigned sets_best(const struct claim_run *run, uint64_t trial)
{
    unsigned best = 1;
    for (unsigned k = 2; k <= PAGE_K_MAX; k++)
        if (claim_trials(run, claim_cell(run, NULL, 0, k))[trial].false_positives <
            claim_trials(run, claim_cell(run, NULL, 0, best))[trial].false_positives)
            best = k;
    return best;
}

static void sets_best_count(unsigned count[PAGE_K_MAX + 1], const struct claim_run *run)
{
    for (unsigned k = 0; k <= PAGE_K_MAX; k++)
        count[k] = 0;
    for (uint64_t t = 0; t < sets_count(run); t++)
        count[sets_best(run, t)]++;
}

enum status page_best_k(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    const struct claim_run *page, *sets;
    unsigned count[PAGE_K_MAX + 1], claimed = (unsigned)claim->value[0], most = 1;
    enum status status = page_run(&page, lab, err);
    if (!status)
        status = page_sets_run(&sets, lab, 128, PAGE_WORDS, sets_all_k, err);
    if (status)
        return status;
    unsigned best = 1;
    for (unsigned k = 2; k <= PAGE_K_MAX; k++)
        if (page_trial(page, 128, k)->false_positives <
            page_trial(page, 128, best)->false_positives)
            best = k;
    sets_best_count(count, sets);
    unsigned all = sets_count(sets);
    for (unsigned k = 2; k <= PAGE_K_MAX; k++)
        most = count[k] > count[most] ? k : most;
    finding_computed(finding, "for the page's words", claim->value[0], 0, best);
    finding_aside(finding, "is best most often", most);
    finding_share(finding, "of sets have their least rate at 5", NAN, count[claimed], all);
    finding_say(
        finding,
        "%u for the page's words; of %u other sets the best is %u in %.1f %%, %u in %.1f %%, "
        "%u in %.1f %%: typical, not a rule",
        best, all, most - 1, 100.0 * count[most - 1] / all, most, 100.0 * count[most] / all,
        most + 1, 100.0 * count[most + 1] / all);
    finding_holds(finding, count[claimed] == all, CLAIM_AMBIGUOUS);
    finding_how(finding, "bloomlab sweep sweeps/claims-sets-128-16.yaml");
    return OK;
}

enum status page_other_sets(struct finding *finding, const struct claim *claim,
                            struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = page_sets_run(&run, lab, 128, PAGE_WORDS, sets_all_k, err);
    if (status)
        return status;
    double *percent = sets_percent(run, claim_cell(run, NULL, 0, PAGE_K_MAX));
    if (!percent)
        return fail(err, E_RUN, "no memory for %u rates", sets_count(run));
    finding_draw(finding, "% over all sets", claim->value[0], percent, sets_count(run), SETS_PAGE);
    finding_mean(finding, "% over the first 150", NAN, percent, SETS_PAGE);
    finding_aside(finding, "% expected", 100 * sets_expected(128, PAGE_WORDS, PAGE_K_MAX));
    free(percent);
    const struct reading *reading = finding->reading;
    finding_say(finding,
                "%.6g %% over %u sets (%.6g %% over the first %d; z = %.2f); expected %.9g %%",
                reading[0].value, sets_count(run), reading[1].value, SETS_PAGE, reading[0].z,
                reading[2].value);
    finding_how(finding, "bloomlab sweep sweeps/claims-sets-128-16.yaml (k = 16); bloomlab predict "
                         "--filter double_hashing --m 128 --n 16 --k 16");
    return OK;
}

/* ---- the bit count against the standard estimate --------------------------------------------- */

/* Of the configurations of one set. */
struct grid_counts {
    unsigned all, with_hits, closer, ties;
};

static enum status grid_run(const struct claim_run **run, struct claim_lab *lab, struct error *err)
{
    struct text text = {0};
    text_printf(&text,
                "name: claims-bit-count\n"
                "question: How often is the bit-count estimate closer than the standard one?\n"
                "grid:\n"
                "  filter: [double_hashing]\n"
                "  hash: [{pair: [fnv1a_32, djb2_mix]}]\n"
                "  keys: [{members: letters, queries: {decimal: \"0..9999\", width: 0}}]\n"
                "  m: [\"2^4..2^9\"]\n"
                "  n: [\"1..%d\"]\n"
                "  k: [\"1..%d\"]\n"
                "trials: %d\nhash_seed: 0\nseed: 1\nscales:\n  quick: {trials: 3}\n",
                GRID_N_MAX, PAGE_K_MAX, SETS_GRID);
    enum status status = text.failed ? fail(err, E_RUN, "no memory for an experiment")
                                     : claim_lab_run(run, lab, text.data, err);
    text_release(&text);
    return status;
}

static void grid_count(struct grid_counts *counts, const struct claim_run *run, uint64_t trial)
{
    *counts = (struct grid_counts){.all = (unsigned)run->plan->cell_count};
    for (size_t c = 0; c < run->plan->cell_count; c++) {
        const struct cell *cell = &run->plan->cells[c];
        const struct trial_result *result = &claim_trials(run, cell)[trial];
        if (result->false_positives == 0)
            continue;
        double rate = (double)result->false_positives / (double)result->queries;
        double standard = theory_fpr_standard(cell->layout.m, cell->n, cell->layout.k);
        double off_bits = fabs(result->fpr_bits / rate - 1), off = fabs(standard / rate - 1);
        counts->with_hits++;
        counts->closer += off_bits < off;
        counts->ties += off_bits == off;
    }
}

enum status page_configurations(struct finding *finding, const struct claim *claim,
                                struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    struct grid_counts counts = {0};
    double with_hits[SETS_GRID];
    enum status status = grid_run(&run, lab, err);
    if (status)
        return status;
    for (uint64_t t = 0; t < sets_count(run); t++) {
        grid_count(&counts, run, t);
        with_hits[t] = counts.with_hits;
    }
    finding_draw(finding, "of 6144", claim->value[0], with_hits, sets_count(run), 1);
    finding_say(finding, "%.6g of %u configurations, mean of %u sets of 64 words (z = %.2f)",
                finding->reading[0].value, counts.all, sets_count(run), finding->reading[0].z);
    finding_how(finding, "bloomlab sweep sweeps/claims-bit-count.yaml; the page does not tell its "
                         "grid: m = 16 .. 512, n = 1 .. 64, k = 1 .. 16 fits, other ranges do not; "
                         "z in standard deviations of one set");
    return OK;
}

enum status page_closer(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err)
{
    const struct claim_run *run;
    double closer[SETS_GRID], ties = 0;
    enum status status = grid_run(&run, lab, err);
    if (status)
        return status;
    for (uint64_t t = 0; t < sets_count(run); t++) {
        struct grid_counts counts;
        grid_count(&counts, run, t);
        closer[t] = 100.0 * counts.closer / counts.with_hits;
        ties += 100.0 * counts.ties / counts.with_hits / sets_count(run);
    }
    finding_draw(finding, "% of them", claim->value[0], closer, sets_count(run), 1);
    finding_say(finding,
                "%.6g %% of the configurations with a hit, mean of %u sets (z = %.2f); ties "
                "%.6g %%",
                finding->reading[0].value, sets_count(run), finding->reading[0].z, ties);
    finding_how(finding, "bloomlab sweep sweeps/claims-bit-count.yaml; z in standard deviations of "
                         "one set of words");
    return OK;
}

/* ---- 44 words in 256 bits -------------------------------------------------------------------- */

enum { WORDS_44 = 44, BITS_44 = 256, K_44 = 4 };

static enum status sets_44(const struct claim_run **run, const struct cell **cell,
                           struct claim_lab *lab, struct error *err)
{
    enum status status = page_sets_run(run, lab, BITS_44, WORDS_44, "4", err);
    if (!status)
        *cell = claim_cell(*run, NULL, BITS_44, K_44);
    return status;
}

enum status page_44_bits(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err)
{
    const struct claim_run *run;
    const struct cell *cell;
    double bits[PAGE_SETS];
    enum status status = sets_44(&run, &cell, lab, err);
    if (status)
        return status;
    for (uint64_t t = 0; t < sets_count(run); t++)
        bits[t] = (double)claim_trials(run, cell)[t].bits_set;
    finding_draw(finding, "bits", claim->value[0], bits, sets_count(run), 1);
    finding_say(finding, "%.6g of %d bits, mean of %u sets of 44 words (z = %.2f)",
                finding->reading[0].value, BITS_44, sets_count(run), finding->reading[0].z);
    finding_how(finding,
                "bloomlab sweep sweeps/claims-sets-256-44.yaml; the page does not tell its "
                "words: z in standard deviations of one set");
    return OK;
}

enum status page_44_measured(struct finding *finding, const struct claim *claim,
                             struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    const struct cell *cell;
    enum status status = sets_44(&run, &cell, lab, err);
    if (status)
        return status;
    double *percent = sets_percent(run, cell);
    if (!percent)
        return fail(err, E_RUN, "no memory for %u rates", sets_count(run));
    finding_draw(finding, "%", claim->value[0], percent, sets_count(run), 1);
    free(percent);
    finding_say(finding, "%.6g %%, mean of %u sets of 44 words (z = %.2f); expected %.9g %%",
                finding->reading[0].value, sets_count(run), finding->reading[0].z,
                100 * sets_expected(BITS_44, WORDS_44, K_44));
    finding_how(finding,
                "bloomlab sweep sweeps/claims-sets-256-44.yaml; the page does not tell its "
                "words: z in standard deviations of one set");
    return OK;
}
