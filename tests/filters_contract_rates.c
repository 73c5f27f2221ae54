/* SPDX-License-Identifier: MIT
 *
 * The rules of chance: what a variant measures against what it says of itself.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/filters_contract_rules.h"

enum { RATE_FILTERS = 24, RATE_QUERIES = 2000 };

static const double rate_limit = 5; /* standard deviations */

/* What twenty-four filters of n keys showed. */
struct sample {
    struct layout layout;
    double bits, estimate, estimate_square; /* sums of X and of cardinality */
    double hits, scheme, scheme_variance;   /* sums of H, Q f, and Q f (1 - f) + Q^2 se^2 */
};

static void sample_add(struct sample *sample, struct stage *stage, uint64_t seed)
{
    const struct filter_ops *ops = stage->c->ops;
    sample->layout = stage->layout;
    sample->bits += (double)ops->count_bits(&stage->filter);
    if (ops->cardinality) {
        double n = ops->cardinality(&stage->filter);
        sample->estimate += n;
        sample->estimate_square += n * n;
    }
    if (ops->capabilities & CAN_ANSWER_MEMBERSHIP) {
        const double q = RATE_QUERIES;
        struct estimate f = ops->fpr_scheme(&stage->filter);
        sample->hits += (double)stage_query(stage, NULL, seed, STAGE_STRANGERS, RATE_QUERIES, 0);
        sample->scheme += q * f.value;
        sample->scheme_variance += q * f.value * (1 - f.value) + q * q * f.se * f.se;
    }
}

static enum status sample_take(struct sample *sample, const struct contract_case *c,
                               struct error *err)
{
    *sample = (struct sample){.bits = 0};
    enum status status = OK;
    for (uint64_t seed = 1; seed <= RATE_FILTERS && !status; seed++) {
        struct stage stage;
        status = stage_open(&stage, c, c->params.n, err);
        if (status)
            return status;
        status = stage_insert(&stage, seed, 0, c->params.n, 0, err);
        if (!status)
            sample_add(sample, &stage, seed);
        status = stage_close(&stage, status, err);
    }
    return status;
}

/* Is a sum within the limit of what is expected? A variance of 0 leaves no room. */
static enum status contract_agrees(const struct contract_case *c, const char *what, double sum,
                                   double expected, double variance, struct error *err)
{
    double distance = fabs(sum - expected);
    if (variance >= 0 && distance <= rate_limit * sqrt(variance) + 1e-9 * fabs(expected))
        return OK;
    return fail(err, E_CHECK, "%s: %s is %.8g, expected %.8g +- %.3g (z %.1f)", c->ops->name, what,
                sum, expected, sqrt(variance), distance / sqrt(variance));
}

enum status contract_fill(const struct contract_case *c, struct error *err)
{
    struct sample sample;
    enum status status = c->ops->expected_fill ? sample_take(&sample, c, err) : OK;
    if (status || !c->ops->expected_fill)
        return status;
    struct moments fill;
    c->ops->expected_fill(&sample.layout, c->params.n, &fill);
    return contract_agrees(c, "the mean fill", sample.bits / RATE_FILTERS, fill.mean,
                           fill.variance / RATE_FILTERS, err);
}

/* A simulated model takes a while, and none depends on the digests or on how they are reduced: it
 * is asked for once for each variant, size and setting. */
static const struct model *contract_model_of(const struct contract_case *c,
                                             const struct layout *layout)
{
    static struct {
        const struct filter_ops *ops;
        struct layout layout;
        struct model model;
    } known[128];
    static size_t count;
    const uint64_t n = c->params.n;
    for (size_t i = 0; i < count; i++)
        if (known[i].ops == c->ops && known[i].layout.m == layout->m &&
            known[i].layout.k == layout->k && known[i].layout.params.n == n &&
            memcmp(known[i].layout.params.own, layout->params.own, sizeof layout->params.own) == 0)
            return &known[i].model;
    size_t at = count < sizeof known / sizeof *known ? count++ : 0;
    known[at].ops = c->ops;
    known[at].layout = *layout;
    c->ops->expected_fpr(layout, n, &known[at].model);
    return &known[at].model;
}

enum status contract_model(const struct contract_case *c, struct error *err)
{
    if (!c->ops->expected_fpr || !(c->ops->capabilities & CAN_ANSWER_MEMBERSHIP))
        return OK;
    struct sample sample;
    enum status status = sample_take(&sample, c, err);
    if (status)
        return status;
    const struct model *model = contract_model_of(c, &sample.layout);
    const double p = model->fpr, tau2 = isnan(model->variance) ? 0 : model->variance;
    double variance =
        (tau2 + (p - p * p - tau2) / RATE_QUERIES) / RATE_FILTERS + model->se * model->se;
    return contract_agrees(c, "the mean rate", sample.hits / RATE_FILTERS / RATE_QUERIES, p,
                           variance, err);
}

enum status contract_probe(const struct contract_case *c, struct error *err)
{
    if (!c->ops->fpr_scheme || !(c->ops->capabilities & CAN_ANSWER_MEMBERSHIP))
        return OK;
    struct sample sample;
    enum status status = sample_take(&sample, c, err);
    return status ? status
                  : contract_agrees(c, "the number of hits, given the filters", sample.hits,
                                    sample.scheme, sample.scheme_variance, err);
}

/* The mean estimate, within its own scatter and 2 % for the estimator's known bias. */
enum status contract_cardinality(const struct contract_case *c, struct error *err)
{
    if (!(c->ops->capabilities & CAN_ESTIMATE_CARDINALITY))
        return OK;
    struct sample sample;
    enum status status = sample_take(&sample, c, err);
    if (status)
        return status;
    const double n = (double)c->params.n, mean = sample.estimate / RATE_FILTERS;
    double variance = sample.estimate_square / RATE_FILTERS - mean * mean;
    double bias = 0.02 * n / rate_limit;
    return contract_agrees(c, "the mean cardinality", mean, n,
                           variance / (RATE_FILTERS - 1) + bias * bias, err);
}
