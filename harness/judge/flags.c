/* SPDX-License-Identifier: MIT */
#include "harness/judge/flags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filters/theory/width.h"
#include "harness/judge/thresholds.h"

static const double flag_floor_share = 0.01, flag_bias = 0.01, flag_arrangement = 0.02;
enum { FLAG_FEW_HITS = 20 };

static void flag_add(char *text, size_t size, const char *flag)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ";" : "", flag);
}

/* Is the trials' measure of that name above 0 anywhere? */
static bool any_measure(const struct cell *cell, const struct trial_result *results,
                        const char *name)
{
    for (uint64_t t = 0; t < cell->trials; t++)
        if (trial_measure(&results[cell->first_result + t], name, 0) > 0)
            return true;
    return false;
}

/* Is there a collision in each trial that was searched, beyond what chance makes? Expected are as
 * many as there are queries times the floor of the digests' width. Trials that repeat one another
 * count as one. */
static bool flags_collide(const struct cell *cell, const struct trial_result *results,
                          bool replicates)
{
    uint64_t searched =
        cell->trials < TRIAL_COLLISION_SEARCHES ? cell->trials : TRIAL_COLLISION_SEARCHES;
    if (!cell->hash || !searched)
        return false;
    for (uint64_t t = 0; t < searched; t++)
        if (!(trial_measure(&results[cell->first_result + t], "colliding_queries", 0) > 0))
            return false;
    double expected = (double)cell->queries * cell_width_floor(cell);
    double independent = replicates ? (double)searched : 1;
    return independent * log(-expm1(-expected)) < log(JUDGE_FAIL_P / JUDGE_TESTS);
}

/* What the width of the digests and the reduction do. */
static bool flags_of_digests(char *text, size_t size, const struct cell *cell)
{
    const struct layout *layout = &cell->layout;
    unsigned width =
        64 - layout->reducer.shift; /* of what is reduced: two narrow digests may be joined */
    uint64_t range = layout->reducer.range;
    bool warn = false;
    if (!cell->hash || range == 0)
        return false;
    if (theory_unreachable(range, width) > 0) {
        flag_add(text, size, "unreachable_bits");
        warn = true;
    }
    if (layout->params.reduction != REDUCE_MASK &&
        theory_reduction_bias(range, width) > flag_bias) {
        flag_add(text, size, "modulo_bias");
        warn = true;
    }
    return warn;
}

enum flag_level flags_of_cell(char *text, size_t size, const struct cell *cell, double fpr_model,
                              uint64_t hits, const struct trial_result *results, bool replicates)
{
    const struct layout *layout = &cell->layout;
    text[0] = '\0';
    bool collide = flags_collide(cell, results, replicates);
    if (collide)
        flag_add(text, size, "hash_collision");
    bool warn = flags_of_digests(text, size, cell);
    if (cell->hash && layout->columns && cell_width_floor(cell) > flag_floor_share * fpr_model) {
        flag_add(text, size, "hash_too_narrow");
        warn = true;
    }
    if (layout->params.m && layout->params.m != layout->m)
        flag_add(text, size, "m_rounded");
    if (layout->m && cell->n > layout->m && (cell->ops->capabilities & CAN_ANSWER_MEMBERSHIP))
        flag_add(text, size, "over_capacity");
    if (cell->queries_reduced)
        flag_add(text, size, "queries_reduced");
    if (any_measure(cell, results, "degenerate_keys"))
        flag_add(text, size, "degenerate_step");
    if (any_measure(cell, results, "overflows"))
        flag_add(text, size, "counter_overflow");
    if (cell->fault.kind != FAULT_NONE)
        flag_add(text, size, "planted_fault");
    if (cell->trials && cell->queries && hits < FLAG_FEW_HITS)
        flag_add(text, size, "few_hits");
    return collide ? FLAG_FAIL : warn ? FLAG_WARN : FLAG_NOTE;
}

void flags_of_judgement(char *text, size_t size, const struct judgement *judgement)
{
    if (judgement->trials_alike)
        flag_add(text, size, "trials_alike");
    if (fabs(judgement->fpr_scheme / judgement->fpr_bits - 1) > flag_arrangement)
        flag_add(text, size, "arrangement");
}
