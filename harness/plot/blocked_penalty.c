/* SPDX-License-Identifier: MIT
 *
 * blocked_penalty.c: what keeping a key's bits in one block costs, against the size of the block.
 *
 * The classic filter it is held against is the run's own with as many bits per key (at its own best
 * k where the grid asks for `best`), else the exact rate with as many probes. Extra bits per key at
 * an equal rate: a classic filter with the best k needs -ln p / (ln 2)^2 bits per key for rate p;
 * the difference between the two rates' needs is what the blocked one spends in vain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/curves.h"
#include "harness/plot/family.h"

static double blocked_bits(const struct run_cell *cell)
{
    char value[32];
    return params_value(cell->params, "block_bits", value, sizeof value) ? strtod(value, NULL)
                                                                         : NAN;
}

static bool blocked_penalty_keep(const struct run_cell *cell)
{
    return cell->exact > 0 && cell->k > 0 && blocked_bits(cell) > 0;
}

/* The exact rate of the classic filter that stands beside a cell. */
static double blocked_classic(const struct run_data *run, const struct run_cell *cell)
{
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *other = &run->cells[c];
        if (strcmp(other->filter, "classic") == 0 && other->m == cell->m && other->n == cell->n &&
            strcmp(other->hash, cell->hash) == 0 && strcmp(other->keys, cell->keys) == 0)
            return other->exact;
    }
    return cell->exact;
}

/* Bits per key that a factor in the rate is worth. */
static double blocked_bits_lost(double ratio)
{
    return log(ratio) / (M_LN2 * M_LN2);
}

static double blocked_extra(double classic, double rate)
{
    return rate > 0 ? blocked_bits_lost(rate / classic) : NAN;
}

static void blocked_penalty_value(const void *context, const struct run_cell *cell, unsigned box,
                                  unsigned kind, struct curve_point *point)
{
    (void)kind;
    double classic = blocked_classic(context, cell);
    if (box == 0) {
        point->line = cell->model / classic;
        if (cell->zero_hits)
            return;
        point->y = cell->rate / classic;
        point->lo = cell->rate_lo / classic;
        point->hi = cell->rate_hi / classic;
    } else {
        point->line = blocked_extra(classic, cell->model);
        if (cell->zero_hits)
            return;
        point->y = blocked_extra(classic, cell->rate);
        point->lo = blocked_extra(classic, cell->rate_lo);
        point->hi = blocked_extra(classic, cell->rate_hi);
    }
}

static enum status blocked_penalty_draw(const struct run_data *run, struct error *err)
{
    const struct curves_style style = {
        .context = run,
        .family = "blocked-penalty",
        .x = "block_bits",
        .series = "bits_per_key",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, false},
        .keep = blocked_penalty_keep,
        .value = blocked_penalty_value,
        .rates = true,
        .caption = "Extra bits: those a classic filter of the same rate could do without.",
    };
    return curves_draw(run, &style, err);
}

/* For the cache line, the usual block: range of the ratio and of the extra bits over the other
 * axes. */
static void blocked_penalty_answer(const struct run_data *run, struct text *out)
{
    const struct run_cell *cheap = NULL, *dear = NULL;
    double least = INFINITY, most = 0;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (!blocked_penalty_keep(cell) || strcmp(cell->filter, "blocked") != 0 ||
            blocked_bits(cell) != 512 || !(cell->rate > 0))
            continue;
        double ratio = cell->rate / blocked_classic(run, cell);
        if (ratio < least)
            least = ratio, cheap = cell;
        if (ratio > most)
            most = ratio, dear = cell;
    }
    if (!cheap)
        return;
    text_printf(
        out,
        "Blocks of 512 bits (one cache line) cost a factor of %.3g in the rate at %.3g bits per "
        "key with k = %.0f (%.2g bits per key at an equal rate)",
        least, cheap->bits_per_key, cheap->k, blocked_bits_lost(least));
    if (dear != cheap)
        text_printf(out, " and of %.3g at %.3g with k = %.0f (%.2g bits)", most, dear->bits_per_key,
                    dear->k, blocked_bits_lost(most));
    text_printf(out, ".");
}

const struct plot_family plot_blocked_penalty = {
    .name = "blocked-penalty",
    .summary =
        "rate of blocked filters over the classic one's against the size of a block, and the bits "
        "per key that costs",
    .draw = blocked_penalty_draw,
    .answer = blocked_penalty_answer,
};
