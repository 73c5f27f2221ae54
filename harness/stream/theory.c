/* SPDX-License-Identifier: MIT */
#include "harness/stream/theory.h"

#include <gsl/gsl_integration.h>
#include <math.h>

#include "filters/theory/classic.h"
#include "filters/theory/width.h"

enum { STREAM_NODES = 16, STREAM_SUMMED = 32 };

/* The rate of n keys with digests as wide as the layout takes them to be. */
static double stream_model(const struct stream_law *law, uint64_t n)
{
    const struct layout *layout = law->layout;
    struct model model = {.fpr = NAN};
    if (n == 0)
        return law->ops->count_bits && layout->bytes_max ? 0 : 1;
    if ((law->ops->capabilities & FILLS_BY_THROWS) && layout->params.digest_bits < 64)
        return theory_fpr_mod_biased(layout->m, n, layout->k, layout->params.digest_bits);
    if (law->ops->expected_fpr)
        law->ops->expected_fpr(layout, n, &model);
    return model.fpr;
}

double stream_rate(const struct stream_law *law, uint64_t n)
{
    if (!law->hashed || n == 0)
        return stream_model(law, n);
    if (law->family != FAMILY_EXPANDED) {
        double floor = theory_width_floor(law->digest_bits, law->layout->columns, n);
        bool counted =
            law->ops->capabilities & FILLS_BY_THROWS; /* k narrow digests: in the model */
        return counted ? stream_model(law, n) : floor + (1 - floor) * stream_model(law, n);
    }
    double floor = theory_width_floor(law->digest_bits, 1, n);
    double distinct = round(ldexp(floor, (int)law->digest_bits));
    uint64_t keys = distinct < (double)n ? (uint64_t)distinct : n;
    return floor + (1 - floor) * stream_model(law, keys ? keys : 1);
}

double stream_lost(const struct stream_law *law, uint64_t first, uint64_t end)
{
    double sum = 0, lo = (double)first - 0.5, hi = (double)end - 0.5;
    if (end <= first)
        return 0;
    if (end - first <= STREAM_SUMMED) {
        for (uint64_t n = first; n < end; n++)
            sum += stream_rate(law, n);
        return sum;
    }
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(STREAM_NODES);
    if (!table)
        return NAN;
    for (size_t i = 0; i < STREAM_NODES; i++) {
        double n, weight;
        gsl_integration_glfixed_point(lo, hi, i, &n, &weight, table);
        sum += weight * stream_rate(law, (uint64_t)llround(fmax(n, 0)));
    }
    gsl_integration_glfixed_table_free(table);
    return sum;
}

/* ---- r at many n ----------------------------------------------------------------------------- */

static double stream_power(const struct stream_curve *curve)
{
    unsigned k = curve->law.layout->k;
    return k ? k : 8;
}

/* r = 1 is as good as this load; a curve must not run off to infinity. */
static const double stream_load_max = 40;

static void stream_curve_stretch(struct stream_curve *curve, uint64_t n)
{
    bool grows = curve->law.ops->capabilities & CAN_GROW;
    const unsigned last = (grows ? STREAM_CURVE_NODES_GROWING : STREAM_CURVE_NODES) - 1;
    curve->last = last;
    if (curve->step == 0)
        curve->step = (curve->law.layout->params.n + last - 1) / last;
    if (curve->step == 0)
        curve->step = 1;
    for (; n > curve->step * last; curve->step *= 2)
        for (unsigned i = 0; i <= last; i++) {
            curve->known[i] = 2 * i <= last && curve->known[2 * i];
            curve->load[i] = curve->known[i] ? curve->load[2 * i] : NAN;
        }
}

static double stream_curve_node(struct stream_curve *curve, uint64_t i)
{
    if (!curve->known[i]) {
        double root = pow(stream_rate(&curve->law, i * curve->step), 1 / stream_power(curve));
        curve->load[i] = root < 1 ? fmin(-log1p(-root), stream_load_max) : stream_load_max;
        if (isnan(root))
            curve->load[i] = NAN;
        curve->known[i] = true;
    }
    return curve->load[i];
}

double stream_curve_rate(struct stream_curve *curve, uint64_t n)
{
    double y[4];
    if (curve->step == 0 || n > curve->step * curve->last)
        stream_curve_stretch(curve, n);
    uint64_t at = n / curve->step;
    if (n % curve->step == 0)
        return pow(-expm1(-stream_curve_node(curve, at)), stream_power(curve));
    uint64_t from = at == 0 ? 0 : at - 1;
    if (from > curve->last - 3)
        from = curve->last - 3;
    for (unsigned i = 0; i < 4; i++)
        y[i] = stream_curve_node(curve, from + i);
    double x = (double)n / (double)curve->step - (double)from; /* nodes at 0, 1, 2, 3 */
    double load = -y[0] * (x - 1) * (x - 2) * (x - 3) / 6 + y[1] * x * (x - 2) * (x - 3) / 2 -
                  y[2] * x * (x - 1) * (x - 3) / 2 + y[3] * x * (x - 1) * (x - 2) / 6;
    return isnan(load) ? NAN : pow(-expm1(-fmax(load, 0)), stream_power(curve));
}
