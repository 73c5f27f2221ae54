/* SPDX-License-Identifier: MIT
 *
 * plot_best.c: the plot family bench-best: which filter costs least, over keys and the cost of a
 * miss. Only what was measured competes: each row's variant, k and bits per key, at the size that n
 * keys then need, with the model's rate of that row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/advise.h"
#include "harness/bench/plot_lines.h"
#include "harness/plot/family.h"

/* n = 2^(BEST_N_FIRST + i), a miss costs 10^(j / 4) ns. */
enum { BEST_N_FIRST = 10, BEST_N = 21, BEST_COSTS = 25, BEST_ROWS_MAX = 4096 };

/* A row that competes. */
struct best_row {
    const struct timing *row;
    const struct lookup *lookup;
    unsigned variant; /* its first row among the competitors */
};

struct best {
    struct best_row row[BEST_ROWS_MAX];
    size_t count;
    const struct best_row *field[BEST_N][BEST_COSTS]; /* who wins; NULL: nobody */
    unsigned series[SERIES_MAX]; /* variants that win somewhere, by their number */
    unsigned series_count;
    uint64_t most_bytes; /* that were measured */
};

static bool best_keep(const struct timing *row)
{
    return row->n > 0 && row->fpr_model >= 0 && row->hit_ratio == 0 &&
           strcmp(row->digests, "computed") == 0 &&
           strcmp(row->operation, operation_name(OPERATION_QUERY_LIST)) == 0;
}

static double best_cost(const struct best_row *row, const struct lookups *lookups, double n,
                        double miss_cost_ns)
{
    double bytes = (double)row->row->bytes / (double)row->row->n * n;
    return lookup_ns(lookups, row->lookup, bytes) + row->row->fpr_model * miss_cost_ns;
}

/* NULL: none. Filters larger than any that was measured do not compete, and where some do not, to
 * have no filter does not win. */
static const struct best_row *best_find(const struct best *best, const struct lookups *lookups,
                                        double n, double miss_cost_ns)
{
    const struct best_row *found = NULL;
    double least = INFINITY;
    bool too_large = false;
    for (size_t r = 0; r < best->count; r++) {
        const struct timing *row = best->row[r].row;
        if ((double)row->bytes / (double)row->n * n > 1.1 * (double)best->most_bytes) {
            too_large = true;
            continue;
        }
        double cost = best_cost(&best->row[r], lookups, n, miss_cost_ns);
        if (cost < least) {
            least = cost;
            found = &best->row[r];
        }
    }
    return found && found->row->bytes == 0 && too_large ? NULL : found;
}

/* Rows of the same variant, k and bits per key are one competitor. */
static void best_take(struct best *best, const struct lookups *lookups, const struct timing *row)
{
    unsigned variant = (unsigned)best->count;
    for (size_t r = best->count; r-- > 0;)
        if (plot_same_variant(best->row[r].row, row)) {
            variant = best->row[r].variant;
            if (best->row[r].row->bits_per_key == row->bits_per_key)
                return;
        }
    for (size_t l = 0; l < lookups->count && best->count < BEST_ROWS_MAX; l++)
        if (lookups->lookup[l].k == row->k && plot_same_variant(lookups->lookup[l].row, row))
            best->row[best->count++] = (struct best_row){row, &lookups->lookup[l], variant};
}

static void best_note_series(struct best *best, unsigned variant)
{
    for (unsigned s = 0; s < best->series_count; s++)
        if (best->series[s] == variant)
            return;
    if (best->series_count < SERIES_MAX)
        best->series[best->series_count++] = variant;
}

static void best_compete(struct best *best, const struct lookups *lookups,
                         const struct timings *timings)
{
    for (size_t r = 0; r < timings->count; r++)
        if (best_keep(&timings->row[r])) {
            uint64_t bytes = timings->row[r].bytes;
            best->most_bytes = bytes > best->most_bytes ? bytes : best->most_bytes;
            best_take(best, lookups, &timings->row[r]);
        }
    for (int i = 0; i < BEST_N; i++)
        for (int j = 0; j < BEST_COSTS; j++) {
            best->field[i][j] =
                best_find(best, lookups, ldexp(1, BEST_N_FIRST + i), pow(10, j / 4.0));
            if (best->field[i][j])
                best_note_series(best, best->field[i][j]->variant);
        }
}

/* Sets 1 .. series: log2 n, log10 cost of the fields each wins, and its point, where no label
 * stands. The last: the labels, bits per key. */
static void best_fields(struct figure *figure, const struct best *best)
{
    for (unsigned s = 0; s <= best->series_count; s++) {
        for (int i = 0; i < BEST_N; i++)
            for (int j = 0; j < BEST_COSTS; j++) {
                const struct best_row *won = best->field[i][j];
                bool label = won && won->row->bytes > 0 && i % 2 == 0 && j % 4 == 2;
                double y = j / 4.0;
                double row[] = {BEST_N_FIRST + i, y, won ? won->row->bits_per_key : NAN,
                                label ? NAN : y};
                if (won && (s < best->series_count ? won->variant == best->series[s] : label))
                    figure_row(figure, row, 4);
            }
        figure_set_end(figure, 4);
    }
}

/* The last column that has fields, or the next where that tells that larger filters are missing. */
static int best_last(const struct best *best)
{
    int last = 0;
    for (int i = 0; i < BEST_N; i++)
        for (int j = 0; j < BEST_COSTS; j++)
            if (best->field[i][j])
                last = i;
    return last < BEST_N - 1 ? last + 1 : last;
}

static enum status best_figure(const struct run_data *run, const struct best *best,
                               struct error *err)
{
    struct figure figure;
    char label[AXIS_LABEL_MAX];
    size_t longest = 1;
    figure_open(&figure, run, "bench-best", 1,
                "Which filter costs least per lookup of an absent key", FIGURE_TWO_COLUMNS_CM,
                false,
                "Cost: time of a lookup (match list, digests computed) and rate times the cost of "
                "a miss (Lang et al. 2019). Numbers: positions per key. null: no filter at all. "
                "White: larger than any filter measured.");
    figure_number(&figure, "series", best->series_count);
    figure_array(&figure, "series_name", best->series_count);
    for (unsigned v = 0; v < best->series_count; v++) {
        plot_variant_label(label, best->row[best->series[v]].row);
        figure_element(&figure, "series_name", v + 1, label);
        longest = enhanced_length(label) > longest ? enhanced_length(label) : longest;
    }
    figure_number(&figure, "legend_longest", (double)longest);
    figure_number(&figure, "n_first", BEST_N_FIRST);
    figure_number(&figure, "n_last", BEST_N_FIRST + best_last(best));
    figure_number(&figure, "cost_last", (BEST_COSTS - 1) / 4);
    best_fields(&figure, best);
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

/* What was measured, and who wins where; best->series_count is 0 where there is nothing. The rows
 * are those of the timings; their lookups are gone. */
static enum status best_open(struct best **out, struct timings *timings, const struct run_data *run,
                             struct error *err)
{
    struct lookups lookups = {0};
    struct error unused;
    struct best *best = *out = calloc(1, sizeof *best);
    if (!best)
        return fail(err, E_RUN, "no memory for a figure of bench-best");
    enum status status = plot_timings_read(timings, run, err);
    if (!status && lookups_open(&lookups, timings, &unused) == OK)
        best_compete(best, &lookups, timings);
    lookups_release(&lookups);
    return status;
}

static enum status best_draw(const struct run_data *run, struct error *err)
{
    struct timings timings = {0};
    struct best *best;
    enum status status = best_open(&best, &timings, run, err);
    if (!status && best->series_count > 0)
        status = best_figure(run, best, err);
    timings_release(&timings);
    free(best);
    return status;
}

/* The winners at one number of keys, from cheap misses to dear ones. */
static void best_answer(const struct run_data *run, struct text *out)
{
    struct timings timings = {0};
    struct error unused;
    struct best *best;
    int column = 0;
    if (best_open(&best, &timings, run, &unused) == OK && best->series_count > 0) {
        while (column + 1 < BEST_N && best->field[column + 1][BEST_COSTS - 1])
            column++;
        const struct best_row *const *field = best->field[column];
        text_printf(out,
                    "The cheapest lookup of an absent key among 2^%d, measured on this machine:",
                    BEST_N_FIRST + column);
        for (int j = 0; j < BEST_COSTS; j++) {
            bool ends = j + 1 == BEST_COSTS || !field[j] || !field[j + 1] ||
                        field[j]->variant != field[j + 1]->variant;
            if (!field[j] || !ends)
                continue;
            text_printf(out, " %s", field[j]->row->filter);
            if (j + 1 < BEST_COSTS)
                text_printf(out, " where a miss costs up to %.2g ns,", pow(10, j / 4.0));
        }
        text_printf(out, " above.");
    }
    timings_release(&timings);
    free(best);
}

const struct plot_family plot_bench_best = {
    .name = "bench-best",
    .summary = "the filter that costs least, over keys and the cost of a miss",
    .kind = RUN_BENCH,
    .draw = best_draw,
    .answer = best_answer,
};
