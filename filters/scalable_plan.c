/* SPDX-License-Identifier: MIT
 *
 * scalable_plan.c: scalable filters before a key is in: the rule of growth, sizes, theory.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "filters/bits.h"
#include "filters/scalable.h"
#include "filters/scalable_scratch.h"
#include "filters/theory/classic.h"

const char *const scalable_lookups[] = {"newest_first", "oldest_first", NULL};
const char *const scalable_slice_ks[] = {"ceil", "best", NULL};

/* ---- the rule ------------------------------------------------------------------------------ */

static enum status scalable_check_rate(const char *variant, const char *name, double rate,
                                       struct error *err)
{
    if (isnan(rate) || (rate > 0 && rate < 1))
        return OK;
    return fail(err, E_INPUT, "%s: %s %g is outside (0, 1)", variant, name, rate);
}

/* Checks the parameters and writes into them what is in force where nothing was said. */
static enum status scalable_settle(struct filter_params *params, enum growth growth,
                                   const char *variant, struct error *err)
{
    struct param_value *own = params->own;
    double r = own[SCALABLE_TIGHTENING].real, s = own[SCALABLE_SCALE_FACTOR].real;
    double target = own[SCALABLE_TARGET_RATE].real, total = own[SCALABLE_TOTAL_RATE].real;
    if (!isnan(target) && !isnan(total))
        return fail(err, E_INPUT, "%s: target_rate %g and total_rate %g are both given; give one",
                    variant, target, total);
    if (!(r > 0 && r <= 1))
        return fail(err, E_INPUT, "%s: tightening %g is outside (0, 1]", variant, r);
    if (!isnan(total) && r == 1)
        return fail(err, E_INPUT,
                    "%s: total_rate %g needs a tightening below 1: at 1 no bound holds", variant,
                    total);
    if (growth == GROWTH_LINEAR ? !(s > 0) : !(s >= 1))
        return fail(err, E_INPUT, "%s: scale_factor %g must be %s", variant, s,
                    growth == GROWTH_LINEAR ? "above 0" : "at least 1");
    if (isnan(target) && isnan(total))
        own[SCALABLE_TARGET_RATE].real = 0.01;
    enum status status = scalable_check_rate(variant, "target_rate", target, err);
    return status ? status : scalable_check_rate(variant, "total_rate", total, err);
}

struct scalable_rule scalable_rule_of(const struct layout *layout)
{
    const struct param_value *own = layout->params.own;
    double r = own[SCALABLE_TIGHTENING].real, total = own[SCALABLE_TOTAL_RATE].real;
    return (struct scalable_rule){
        .growth = (enum growth)layout->geometry[SCALABLE_GROWTH],
        .initial_capacity = (uint64_t)own[SCALABLE_INITIAL_CAPACITY].integer,
        .scale_factor = own[SCALABLE_SCALE_FACTOR].real,
        .tightening = r,
        .first_rate = isnan(total) ? own[SCALABLE_TARGET_RATE].real : total * (1 - r),
        .slice_k = (enum slice_k)own[SCALABLE_SLICE_K].integer,
    };
}

/* ---- the plan ------------------------------------------------------------------------------ */

/* Adds slice i to the layout. */
static enum status scalable_plan_slice(struct layout *layout, const struct scalable_rule *rule,
                                       unsigned i, const char *variant, struct error *err)
{
    struct slice slice;
    struct reducer reducer;
    struct error cause;
    char what[64];
    if (theory_scalable_slice(&slice, rule, i, &cause))
        return fail(err, E_IMPOSSIBLE, "%s: %s", variant, cause.text);
    if (slice.capacity == 0)
        return fail(err, E_IMPOSSIBLE, "%s: slice %u would hold 0 keys", variant, i + 1);
    if (slice.k > layout->params.digest_columns)
        return fail(err, E_IMPOSSIBLE, "%s: slice %u needs %u digests, the family gives %u",
                    variant, i + 1, slice.k, layout->params.digest_columns);
    layout->m += slice.m;
    if (layout->m > FILTER_M_MAX)
        return fail(err, E_IMPOSSIBLE,
                    "%s: the first %u slices need %" PRIu64 " bits, more than %" PRIu64, variant,
                    i + 1, layout->m, FILTER_M_MAX);
    layout->columns = slice.k > layout->columns ? slice.k : layout->columns;
    layout->bytes_max += arena_bytes(bits_bytes(slice.m));
    snprintf(what, sizeof what, "m of slice %u", i + 1);
    return reducer_init(i ? &reducer : &layout->reducer, layout->params.reduction, slice.m,
                        layout->params.digest_bits, what, err);
}

enum status scalable_plan(struct layout *layout, const struct filter_params *params,
                          enum growth growth, const char *variant, struct error *err)
{
    *layout = (struct layout){
        .params = *params,
        .alignment = 64,
        .batch = FILTER_BATCH,
        .scratch_bytes = sizeof(struct scalable_scratch),
    };
    enum status status = scalable_settle(&layout->params, growth, variant, err);
    if (status)
        return status;
    layout->geometry[SCALABLE_GROWTH] = growth;
    struct scalable_rule rule = scalable_rule_of(layout);
    unsigned slices;
    struct error cause;
    if (theory_scalable_slices(&slices, &rule, params->n, &cause))
        return fail(err, E_IMPOSSIBLE, "%s: %s", variant, cause.text);
    layout->geometry[SCALABLE_SLICES] = slices;
    layout->bytes = sizeof(struct scalable_head) + slices * sizeof(struct scalable_slice);
    layout->bytes_max = layout->bytes;
    for (unsigned i = 0; i < slices && !status; i++)
        status = scalable_plan_slice(layout, &rule, i, variant, err);
    return status;
}

/* ---- theory -------------------------------------------------------------------------------- */

void scalable_expected_fpr(const struct layout *layout, uint64_t n, struct model *model)
{
    struct scalable_rule rule = scalable_rule_of(layout);
    *model = (struct model){
        .fpr = theory_scalable_exact(&rule, n),
        .variance = theory_scalable_variance(&rule, n),
        .name = "compound",
    };
}

void scalable_expected_fill(const struct layout *layout, uint64_t n, struct moments *moments)
{
    struct scalable_rule rule = scalable_rule_of(layout);
    struct slice slice;
    *moments = (struct moments){0};
    for (unsigned i = 0; n > 0; i++) {
        if (theory_scalable_slice(&slice, &rule, i, NULL) || slice.capacity == 0) {
            *moments = (struct moments){NAN, NAN};
            return;
        }
        uint64_t keys = n < slice.capacity ? n : slice.capacity;
        struct moments own = theory_fill(slice.m, keys * slice.k);
        moments->mean += own.mean;
        moments->variance += own.variance;
        n -= keys;
    }
}

bool scalable_formula(const struct layout *layout, uint64_t n, unsigned i, struct formula *formula)
{
    static const struct scalable_formula {
        const char *name;
        double (*value)(const struct scalable_rule *rule, uint64_t n);
    } list[] = {
        {"fpr_standard", theory_scalable_standard},
        {"fpr_bloom", theory_scalable_bloom},
        {"fpr_exact", theory_scalable_exact},
        {"scalable_all_full", theory_scalable_all_full},
        {"scalable_nominal", theory_scalable_nominal},
        {"scalable_union_bound", theory_scalable_union_bound},
    };
    const unsigned count = sizeof list / sizeof *list;
    struct scalable_rule rule = scalable_rule_of(layout);
    *formula =
        (struct formula){.source = "Almeida, Baquero, Preguica, Hutchison, IPL 101(6), 2007"};
    if (i < count) {
        formula->name = list[i].name;
        formula->value = list[i].value(&rule, n);
        return true;
    }
    formula->name = "scalable_almeida_bound"; /* there is none at tightening 1 */
    formula->value = theory_scalable_almeida_bound(&rule);
    return i == count && rule.tightening < 1;
}
