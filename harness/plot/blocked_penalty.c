/* SPDX-License-Identifier: MIT
 *
 * blocked_penalty.c: what keeping a key's bits in one block costs, against the size of the block.
 *
 * Extra bits per key at an equal rate: a classic filter with as many probes reaches rate p at c0 =
 * -k / ln(1 - p^(1/k)) bits per key (the standard formula, solved for m/n). The difference between
 * c0 of the exact classic rate and c0 of the blocked filter's rate is what the blocked one spends
 * in vain.
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

static double blocked_classic_bits_per_key(double rate, double k)
{
    return rate > 0 && rate < 1 ? -k / log1p(-pow(rate, 1 / k)) : NAN;
}

static double blocked_extra(const struct run_cell *cell, double rate)
{
    return blocked_classic_bits_per_key(cell->exact, cell->k) -
           blocked_classic_bits_per_key(rate, cell->k);
}

static void blocked_penalty_value(const void *context, const struct run_cell *cell, unsigned box,
                                  unsigned kind, struct curve_point *point)
{
    (void)context;
    (void)kind;
    if (box == 0) {
        point->line = cell->model / cell->exact;
        if (cell->zero_hits)
            return;
        point->y = cell->rate / cell->exact;
        point->lo = cell->rate_lo / cell->exact;
        point->hi = cell->rate_hi / cell->exact;
    } else {
        point->line = blocked_extra(cell, cell->model);
        if (cell->zero_hits)
            return;
        point->y = blocked_extra(cell, cell->rate);
        point->lo = blocked_extra(cell, cell->rate_lo);
        point->hi = blocked_extra(cell, cell->rate_hi);
    }
}

static enum status blocked_penalty_draw(const struct run_data *run, struct error *err)
{
    static const struct curves_style style = {
        .family = "blocked-penalty",
        .x = "block_bits",
        .series = "bits_per_key",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, false},
        .keep = blocked_penalty_keep,
        .value = blocked_penalty_value,
        .rates = true,
        .caption = "Extra bits: those a classic filter with as many probes could do without.",
    };
    return curves_draw(run, &style, err);
}

/* For the cache line, the usual block: range of the ratio and of the extra bits over the other
 * axes. */
static void blocked_penalty_answer(const struct run_data *run, struct text *out)
{
    const struct run_cell *cheap = NULL, *dear = NULL;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (!blocked_penalty_keep(cell) || strcmp(cell->filter, "blocked") != 0 ||
            blocked_bits(cell) != 512 || !(cell->rate > 0))
            continue;
        if (!cheap || cell->rate / cell->exact < cheap->rate / cheap->exact)
            cheap = cell;
        if (!dear || cell->rate / cell->exact > dear->rate / dear->exact)
            dear = cell;
    }
    if (!cheap)
        return;
    text_printf(
        out,
        "Blocks of 512 bits (one cache line) cost a factor of %.3g in the rate at %.3g bits per "
        "key (%.2g bits per key at an equal rate)",
        cheap->rate / cheap->exact, cheap->bits_per_key, blocked_extra(cheap, cheap->rate));
    if (dear != cheap)
        text_printf(out, " and of %.3g at %.3g (%.2g bits)", dear->rate / dear->exact,
                    dear->bits_per_key, blocked_extra(dear, dear->rate));
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
