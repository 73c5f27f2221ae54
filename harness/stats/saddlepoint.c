/* SPDX-License-Identifier: MIT
 *
 * saddlepoint.c: see saddlepoint.h.
 *
 * With K(s) = ln E e^(s total) and s solving K'(s) = total: w = sign(s) sqrt(2 (s total - K)),
 * u = s sqrt(K''), r* = w + ln(u/w)/w. For whole numbers u takes 2 tanh(s/2) for s, which is the
 * mean of the two continuity corrections of Daniels (Int. Stat. Rev. 55, 1987) and so gives the
 * mid-tail.
 */
#include "harness/stats/saddlepoint.h"

#include <math.h>

struct saddlepoint {
    double k, k1, k2; /* K and its first two derivatives */
};

/* ln E e^(s y) of one trial whose f is given, and its derivatives. */
static struct saddlepoint saddlepoint_node(double f, double queries, double s)
{
    if (queries == 0)
        return (struct saddlepoint){.k = s * f, .k1 = f};
    /* Hits are tilted to a binomial of rate f e^s / (1 - f + f e^s). */
    double tilted = s > 0 ? f / (f + (1 - f) * exp(-s)) : f * exp(s) / (1 + f * expm1(s));
    double k = s > 1 ? s + log(f + (1 - f) * exp(-s)) : log1p(f * expm1(s));
    return (struct saddlepoint){
        .k = queries * k, .k1 = queries * tilted, .k2 = queries * tilted * (1 - tilted)};
}

/* Every node a trial of its own: sums. */
static struct saddlepoint saddlepoint_fixed(const struct rate_law *law, double s)
{
    struct saddlepoint sum = {0};
    for (size_t i = 0; i < law->nodes; i++) {
        struct saddlepoint node = saddlepoint_node(law->rate[i], law->queries, s);
        sum.k += node.k, sum.k1 += node.k1, sum.k2 += node.k2;
    }
    return sum;
}

/* One trial whose f is drawn from the nodes: a mixture, summed relative to its greatest term. */
static struct saddlepoint saddlepoint_mixed(const struct rate_law *law, double s)
{
    double top = -INFINITY;
    for (size_t i = 0; i < law->nodes; i++)
        if (law->weight[i] > 0)
            top =
                fmax(top, log(law->weight[i]) + saddlepoint_node(law->rate[i], law->queries, s).k);
    double sum = 0, mean = 0, inner = 0, square = 0;
    for (size_t i = 0; i < law->nodes; i++) {
        if (!(law->weight[i] > 0))
            continue;
        struct saddlepoint node = saddlepoint_node(law->rate[i], law->queries, s);
        double share = exp(log(law->weight[i]) + node.k - top), before = sum;
        double step = node.k1 - mean; /* West's running variance: no cancellation */
        sum += share;
        inner += share * node.k2;
        if (share > 0) {
            square += share * before / sum * step * step;
            mean += share / sum * step;
        }
    }
    return (struct saddlepoint){.k = top + log(sum), .k1 = mean, .k2 = (inner + square) / sum};
}

static struct saddlepoint saddlepoint_cumulants(const struct rate_law *law, double s)
{
    struct saddlepoint c = law->weight ? saddlepoint_mixed(law, s) : saddlepoint_fixed(law, s);
    double noise = law->noise * law->noise;
    return (struct saddlepoint){.k = law->trials * c.k + noise * s * s / 2,
                                .k1 = law->trials * c.k1 + noise * s,
                                .k2 = law->trials * c.k2 + noise};
}

/* s with K'(s) = total: Newton inside a bracket that K', which rises, keeps. NaN: there is none. */
static double saddlepoint_solve(const struct rate_law *law, double total)
{
    struct saddlepoint c = saddlepoint_cumulants(law, 0);
    if (!(c.k2 > 0))
        return NAN;
    double scale = 1 / sqrt(c.k2), direction = total > c.k1 ? 1 : -1;
    double near = 0, far = direction * scale;
    for (int i = 0;; i++) {
        c = saddlepoint_cumulants(law, far);
        if ((c.k1 - total) * direction >= 0)
            break;
        near = far;
        far *= 2;
        if (i > 80 || (law->queries > 0 && fabs(far) > 600))
            return NAN;
    }
    double s = (near + far) / 2;
    for (int i = 0; i < 200; i++) {
        c = saddlepoint_cumulants(law, s);
        double miss = c.k1 - total;
        if (miss * direction < 0)
            near = s;
        else
            far = s;
        double next = s - miss / c.k2;
        if (!(fmin(near, far) < next && next < fmax(near, far)))
            next = (near + far) / 2;
        if (fabs(next - s) <= 1e-13 * fabs(s))
            return next;
        s = next;
    }
    return s;
}

static struct mid_tails saddlepoint_score(double z)
{
    return (struct mid_tails){.log_below = stats_normal_log_tail(-z),
                              .log_above = stats_normal_log_tail(z)};
}

/* The ends of a total of hits are single outcomes: all trials hit nothing, or everything. */
static bool saddlepoint_end(struct mid_tails *tails, const struct rate_law *law, double total)
{
    bool nothing = total <= 0;
    double all = law->queries * law->trials * (law->weight ? 1 : (double)law->nodes);
    if (law->queries == 0 || (!nothing && total < all))
        return false;
    double log_p = 0, mixed = 0;
    for (size_t i = 0; i < law->nodes; i++) {
        double f = law->rate[i], one = law->queries * (nothing ? log1p(-f) : log(f));
        if (law->weight)
            mixed += law->weight[i] * exp(one);
        else
            log_p += one;
    }
    log_p = law->trials * (law->weight ? log(mixed) : log_p);
    double half = fmin(0, log_p) - M_LN2, rest = log1p(-exp(half));
    *tails = nothing ? (struct mid_tails){half, rest} : (struct mid_tails){rest, half};
    return true;
}

struct mid_tails saddlepoint_tails(const struct rate_law *law, double total)
{
    struct mid_tails tails;
    struct saddlepoint at0 = saddlepoint_cumulants(law, 0);
    bool noisy = law->noise * law->noise > 0.01 * at0.k2;
    if (!noisy && saddlepoint_end(&tails, law, total))
        return tails;
    if (!(at0.k2 > 0)) { /* rates of 0 and 1 only: the total is certain */
        double miss = total - at0.k1;
        if (fabs(miss) <= 1e-9 * fabs(total))
            return (struct mid_tails){-M_LN2, -M_LN2};
        return miss > 0 ? (struct mid_tails){0, -INFINITY} : (struct mid_tails){-INFINITY, 0};
    }
    double sd = sqrt(at0.k2), z = (total - at0.k1) / sd;
    if (fabs(z) < 1e-3) { /* ln(u/w)/w is 0/0 here; its limit is a sixth of the skewness */
        double d = 1e-3 / sd, up = saddlepoint_cumulants(law, d).k2;
        double skewness = (up - saddlepoint_cumulants(law, -d).k2) / (2 * d * sd * sd * sd);
        return saddlepoint_score(z + skewness / 6);
    }
    double s = saddlepoint_solve(law, total);
    if (isnan(s))
        return (struct mid_tails){NAN, NAN};
    struct saddlepoint c = saddlepoint_cumulants(law, s);
    double w = copysign(sqrt(fmax(0, 2 * (s * total - c.k))), s);
    double u = (law->queries > 0 && !noisy ? 2 * tanh(s / 2) : s) * sqrt(c.k2);
    double ratio = u / w;
    return saddlepoint_score(ratio > 0 && isfinite(ratio) ? w + log(ratio) / w : w);
}
