/* SPDX-License-Identifier: MIT
 *
 * bit_count_estimate.c: which of two estimates comes closer to the rate that was measured: the
 * standard one, (1 - e^(-kn/m))^k, or (X/m)^k, from the bits that are set.
 *
 * Closer: its ratio to the measured rate is nearer to 1. Every trial of every cell is one filter;
 * those without a hit tell nothing, and those where both are equally near are counted apart. Trials
 * of one number have the same keys in all cells, so that a share is taken for each of them by
 * itself; its interval is Student's over the trials.
 *
 * The rates of the tables have 6 digits, at which estimates near 1 look alike: both are evaluated
 * again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/theory/classic.h"
#include "harness/plot/axes.h"
#include "harness/plot/cell_values.h"
#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/stats/stats.h"

enum {
    ESTIMATE_FILLS = 8,     /* bins of the fill */
    ESTIMATE_KS = 64,       /* k that are told apart */
    ESTIMATE_TRIALS = 4096, /* so many are looked at */
    ESTIMATE_FEW = 60,      /* filters that a point needs */
};
static const double estimate_tie = 1e-12;

struct tally {
    unsigned closer, decided;
    double fill; /* summed over those decided */
};

struct guesses {
    double m[SERIES_MAX]; /* increasing */
    unsigned ms, trials;
    double configurations; /* of one trial */
    struct tally *by_fill; /* [m][bin][trial] */
    struct tally *by_k;    /* [m][k - 1][trial] */
    struct tally *all;     /* [trial] */
    double with_hits, ties;
};

static void guesses_release(struct guesses *e)
{
    free(e->by_fill);
    free(e->by_k);
    free(e->all);
}

static int guesses_m(const struct guesses *e, double m)
{
    for (unsigned i = 0; i < e->ms; i++)
        if (e->m[i] == m)
            return (int)i;
    return -1;
}

static enum status guesses_open(struct guesses *e, const struct run_data *run, struct error *err)
{
    *e = (struct guesses){.configurations = (double)run->count};
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (cell->trials > e->trials)
            e->trials = cell->trials < ESTIMATE_TRIALS ? (unsigned)cell->trials : ESTIMATE_TRIALS;
        if (!(cell->m_actual > 0) || guesses_m(e, cell->m_actual) >= 0 || e->ms == SERIES_MAX)
            continue;
        unsigned at = e->ms++;
        for (; at > 0 && e->m[at - 1] > cell->m_actual; at--)
            e->m[at] = e->m[at - 1];
        e->m[at] = cell->m_actual;
    }
    e->by_fill = calloc((size_t)e->ms * ESTIMATE_FILLS * e->trials + 1, sizeof *e->by_fill);
    e->by_k = calloc((size_t)e->ms * ESTIMATE_KS * e->trials + 1, sizeof *e->by_k);
    e->all = calloc(e->trials + 1, sizeof *e->all);
    if (e->by_fill && e->by_k && e->all)
        return OK;
    guesses_release(e);
    return fail(err, E_RUN, "no memory for the estimates of %zu cells", run->count);
}

static void tally_add(struct tally *tally, bool closer, double fill)
{
    tally->closer += closer;
    tally->decided++;
    tally->fill += fill;
}

/* One filter: a row of trials.csv. */
struct estimate_row {
    double trial, m, n, k, queries, hits, bits_set;
};

static void guesses_take(struct guesses *e, const struct estimate_row *row)
{
    int m = guesses_m(e, row->m);
    double rate = row->hits / row->queries, fill = row->bits_set / row->m;
    if (m < 0 || !(row->hits > 0) || !(row->k >= 1) || row->trial >= e->trials)
        return;
    unsigned k = (unsigned)row->k, trial = (unsigned)row->trial;
    double standard = fabs(theory_fpr_standard((uint64_t)row->m, (uint64_t)row->n, k) / rate - 1);
    double bits = fabs(pow(fill, k) / rate - 1);
    e->with_hits++;
    if (fabs(standard - bits) <= estimate_tie) {
        e->ties++;
        return;
    }
    unsigned bin = (unsigned)fmin(fill * ESTIMATE_FILLS, ESTIMATE_FILLS - 1);
    tally_add(&e->all[trial], bits < standard, fill);
    tally_add(&e->by_fill[((unsigned)m * ESTIMATE_FILLS + bin) * e->trials + trial],
              bits < standard, fill);
    if (k <= ESTIMATE_KS)
        tally_add(&e->by_k[((unsigned)m * ESTIMATE_KS + k - 1) * e->trials + trial],
                  bits < standard, fill);
}

static enum status guesses_read(struct guesses *e, const struct run_data *run, struct error *err)
{
    static const char *const wanted[] = {"trial",   "m_actual",        "n",        "k",
                                         "queries", "false_positives", "bits_set", NULL};
    struct frame frame;
    stats_init();
    enum status status = guesses_open(e, run, err);
    if (status)
        return status;
    status = frame_read(&frame, run->directory, "trials.csv", wanted, err);
    if (status) {
        guesses_release(e);
        return status;
    }
    for (size_t r = 0; r < frame.rows; r++) {
        const struct estimate_row row = {frame_number(&frame, r, 0), frame_number(&frame, r, 1),
                                         frame_number(&frame, r, 2), frame_number(&frame, r, 3),
                                         frame_number(&frame, r, 4), frame_number(&frame, r, 5),
                                         frame_number(&frame, r, 6)};
        guesses_take(e, &row);
    }
    frame_release(&frame);
    return OK;
}

/* The shares of the trials, and how many filters they are made of. */
static struct cell_value tallies_shares(const struct tally *tallies, unsigned trials,
                                        double *decided, double *fill)
{
    struct cell_value shares = {0};
    *decided = *fill = 0;
    for (unsigned t = 0; t < trials; t++) {
        if (!tallies[t].decided)
            continue;
        double share = (double)tallies[t].closer / tallies[t].decided;
        shares.sum += share;
        shares.squares += share * share;
        shares.count++;
        *decided += tallies[t].decided;
        *fill += tallies[t].fill;
    }
    *fill /= *decided;
    return shares;
}

/* ---- the figure --------------------------------------------------------------------------------
 */

/* One series: x, share, lo, hi. Points by fill stand at their mean fill, those by k aside of one
 * another. Returns the lowest end of a bar. */
static double guesses_series(struct figure *figure, const struct guesses *e, unsigned m,
                             bool by_fill)
{
    double least = 1;
    const unsigned bins = by_fill ? ESTIMATE_FILLS : ESTIMATE_KS;
    const struct tally *tallies = by_fill ? e->by_fill : e->by_k;
    for (unsigned bin = 0; bin < bins; bin++) {
        double decided, fill, lo, hi;
        struct cell_value shares =
            tallies_shares(tallies + (m * bins + bin) * e->trials, e->trials, &decided, &fill);
        if (decided < ESTIMATE_FEW)
            continue;
        cell_value_interval(&shares, &lo, &hi);
        double aside = 0.09 * (m - (e->ms - 1) / 2.0);
        double row[] = {by_fill ? fill : bin + 1 + aside, cell_value_mean(&shares), fmax(lo, 0),
                        fmin(hi, 1)};
        figure_row(figure, row, 4);
        least = fmin(least, row[2]);
    }
    figure_set_end(figure, 4);
    return least;
}

static enum status bit_count_draw(const struct run_data *run, struct error *err)
{
    struct figure figure;
    struct guesses e;
    char name[48], number[32];
    double most_k = 1, least = 0.5;
    enum status status = guesses_read(&e, run, err);
    if (status)
        return status;
    if (!(e.with_hits > e.ties)) {
        guesses_release(&e);
        return OK;
    }
    for (size_t c = 0; c < run->count; c++)
        most_k = fmax(most_k, fmin(run->cells[c].k, ESTIMATE_KS));
    figure_open(
        &figure, run, "bit-count-estimate", 1,
        "How often the count of set bits comes closer to the rate than the standard formula",
        FIGURE_TWO_COLUMNS_CM, false,
        "Of the filters with a false positive: in which share |(X/m)^k / rate - 1| is less "
        "than |(1 - e^(-kn/m))^k / rate - 1|, without ties; 95 % intervals over the key "
        "sets. Above 1/2 the count is the better guess.");
    figure_number(&figure, "series", e.ms);
    figure_number(&figure, "k_most", most_k);
    figure_array(&figure, "series_name", e.ms);
    for (unsigned m = 0; m < e.ms; m++) {
        enhanced_number(number, sizeof number, e.m[m]);
        snprintf(name, sizeof name, "m = %s", number);
        figure_element(&figure, "series_name", m + 1, name);
    }
    for (unsigned panel = 0; panel < 2; panel++)
        for (unsigned m = 0; m < e.ms; m++)
            least = fmin(least, guesses_series(&figure, &e, m, panel == 0));
    figure_number(&figure, "share_bottom", floor(10 * least) / 10);
    status = figure_draw(&figure, err);
    figure_release(&figure);
    guesses_release(&e);
    return status;
}

/* The share over all filters of one m. */
static double guesses_of_m(const struct guesses *e, unsigned m)
{
    double closer = 0, decided = 0;
    for (unsigned i = 0; i < ESTIMATE_FILLS * e->trials; i++) {
        closer += e->by_fill[m * ESTIMATE_FILLS * e->trials + i].closer;
        decided += e->by_fill[m * ESTIMATE_FILLS * e->trials + i].decided;
    }
    return closer / decided;
}

static void bit_count_answer(const struct run_data *run, struct text *out)
{
    struct guesses e;
    struct error unused;
    double decided, fill, lo, hi;
    if (guesses_read(&e, run, &unused))
        return;
    struct cell_value shares = tallies_shares(e.all, e.trials, &decided, &fill);
    cell_value_interval(&shares, &lo, &hi);
    if (shares.count > 1) {
        text_printf(
            out,
            "Over %.0f key sets the count of set bits comes closer in %.1f %% of the filters "
            "with a false positive (95 %% interval %.1f to %.1f %%; sd between sets %.1f %%; "
            "%.0f of %.0f filters of a set have one, ties in %.1f left out)",
            shares.count, 100 * cell_value_mean(&shares), 100 * lo, 100 * hi,
            100 * (hi - lo) / 2 * sqrt(shares.count) / stats_t_quantile(0.975, shares.count - 1),
            e.with_hits / e.trials, e.configurations, e.ties / e.trials);
        text_printf(out, ", from %.0f %% at m = %.0f to %.0f %% at m = %.0f",
                    100 * guesses_of_m(&e, 0), e.m[0], 100 * guesses_of_m(&e, e.ms - 1),
                    e.m[e.ms - 1]);
        text_printf(out, ". Published for one set of words: 5356 of 6051, 88.5 %%.");
    }
    guesses_release(&e);
}

const struct plot_family plot_bit_count_estimate = {
    .name = "bit-count-estimate",
    .summary = "how often (X/m)^k comes closer to the measured rate than the standard formula",
    .draw = bit_count_draw,
    .answer = bit_count_answer,
};
