/* SPDX-License-Identifier: MIT
 *
 * precision.c: how many trials and queries a promised precision takes.
 */
#include <math.h>

#include "harness/plan/plan.h"
#include "harness/stats/stats.h"

enum { PRECISION_TRIALS_MAX = 100000000 };

enum status plan_precision(uint64_t *trials, uint64_t *queries, const struct filter_ops *ops,
                           const struct layout *layout, uint64_t n, double relative_error,
                           double confidence, struct error *err)
{
    struct model model = {.fpr = NAN, .variance = NAN};
    if (ops->expected_fpr)
        ops->expected_fpr(layout, n, &model);
    if (!(model.fpr > 0) || isnan(model.variance))
        return fail(err, E_IMPOSSIBLE,
                    "a relative error cannot be planned: %s has no expected rate above 0 at n %llu",
                    ops->name, (unsigned long long)n);
    double p = model.fpr, spread = p - p * p;
    /* One filter costs about as much as n queries; 1 % on the quantile pays for Student's being
     * greater than the normal one, and for what the model leaves out. */
    double best = sqrt(spread / model.variance * (double)(n ? n : 1));
    double asked = model.variance > 0 && isfinite(best) ? fmax(1.0, round(best)) : 1e6;
    asked = fmin(asked, 1e9);
    double z = 1.01 * stats_normal_quantile((confidence + 1) / 2);
    double half = relative_error * p;
    double repeats = ceil(z * z * (model.variance + spread / asked) / (half * half));
    if (repeats > PRECISION_TRIALS_MAX)
        return fail(err, E_IMPOSSIBLE,
                    "a relative error of %g at a rate of %g takes %.3g trials; at most %d are run",
                    relative_error, p, repeats, PRECISION_TRIALS_MAX);
    *trials = (uint64_t)fmax(2.0, repeats);
    *queries = (uint64_t)asked;
    return OK;
}
