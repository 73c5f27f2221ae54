/* SPDX-License-Identifier: MIT
 *
 * cardinality.c: insert n distinct keys and ask the filter how many there are.
 *
 * A trial is that of the workload membership (with `queries: 0` nobody is asked but the members)
 * and one measure more, `relative_error` = cardinality/n - 1; there is none where n is 0 or the
 * filter is saturated. Sizes of n that grow by steps cost together a small multiple of the largest,
 * and their cells share digests: nothing is walked from one n to the next.
 */
#include "harness/workload/cardinality.h"

#include <math.h>

#include "harness/plan/plan.h"
#include "harness/trial/trial.h"
#include "harness/workload/membership.h"

static enum status cardinality_plan(struct cell *cell, struct error *err)
{
    if (!cell->ops->cardinality)
        return fail(err, E_IMPOSSIBLE, "%s cannot tell how many keys it holds", cell->ops->name);
    return OK;
}

static enum status cardinality_run(struct trial_result *result, const struct cell *cell,
                                   struct trial_keys *keys, struct workspace *space,
                                   struct error *err)
{
    enum status status = workload_membership.run(result, cell, keys, space, err);
    if (status || cell->n == 0)
        return status;
    double error = trial_measure(result, "cardinality", NAN) / (double)cell->n - 1;
    return isfinite(error) ? trial_measure_add(result, "relative_error", error, err) : OK;
}

/* What theory says of relative_error: mean and standard deviation. */
static bool cardinality_formula(const struct cell *cell, unsigned i, struct formula *formula)
{
    struct moments fill, expected;
    if (i > 1 || cell->n == 0 || !cell->ops->expected_cardinality)
        return false;
    cell->ops->expected_fill(&cell->layout, cell->n, &fill);
    cell->ops->expected_cardinality(&cell->layout, cell->n, &fill, &expected);
    *formula = (struct formula){
        .name = i == 0 ? "cardinality_bias" : "cardinality_sd",
        .value = i == 0 ? expected.mean / (double)cell->n - 1
                        : sqrt(expected.variance) / (double)cell->n,
        .source = "delta method, of the estimate / n",
    };
    return true;
}

const struct workload_ops workload_cardinality = {
    .name = "cardinality",
    .summary = "insert n distinct keys and ask how many there are",
    .plan = cardinality_plan,
    .run = cardinality_run,
    .formula = cardinality_formula,
};
