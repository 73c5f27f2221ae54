/* SPDX-License-Identifier: MIT
 *
 * hyperloglog_law.c: mean and variance of HyperLogLog estimates for n keys in m registers.
 *
 * With a Poisson number of keys registers are independent: P(register <= r) = e^(-n/(m 2^r)) up to
 * r = rest, so that the histogram is multinomial with probabilities p_r. An estimate is A/D, D a
 * sum of functions of one count each: d_r and s_r are their first and second derivatives at the
 * expected counts. Then
 *
 *   Var[D] = m (sum p_r d_r^2 - (sum p_r d_r)^2)
 *   E[A/D] = A/D (1 + Var[D]/D^2 - (1/2D) sum s_r m p_r (1 - p_r))
 *   Var[A/D] = (A/D)^2 Var[D]/D^2
 *
 * A fixed number of keys has the same mean, and a variance less by n (dE/dn)^2; times (n - 1)/n,
 * since it takes two keys to meet in a register. (dE/dn is 1 but for ripples of 10^-4, which are
 * more than the rest of the variance when n is small.)
 *
 * That is the first order. In 16 registers it falls short of the standard deviation by a seventh,
 * since 1/D is skewed: of a gamma variate with relative variance v, 1/D has a relative variance of
 * v/(1 - 2v) about its mean (1 + v)/E[D]. With that factor it falls short by a twentieth at most.
 */
#include "filters/theory/hyperloglog_law.h"

#include <math.h>

#include "filters/theory/cardinality.h"
#include "filters/theory/hyperloglog.h"

/* A function of one count, near its expected value: of registers at one level. */
struct hll_term {
    double share;    /* p_r */
    double change;   /* its derivative by the load n/m */
    double at, d, s; /* value and derivatives at the count m p_r */
};

/* sigma(x) and its derivatives: term k has x^(2^k) 2^(k-1). All are summed without the two powers
 * of x that the second derivative takes away, so that nothing is divided by an x that underflowed.
 */
static struct hll_term hll_empty_term(double registers, double load)
{
    double x = exp(-load), power = 1, sum = x, first = 1, second = 0, before;
    double scale = 2;
    do {
        before = second;
        sum += power * x * x * scale / 2;
        first += power * x * scale * scale / 2;
        second += power * scale * (scale - 1) * scale / 2;
        power *= power * x * x;
        scale *= 2;
    } while (second > before);
    return (struct hll_term){
        .share = x,
        .change = -x,
        .at = registers * sum,
        .d = first,
        .s = second / registers,
    };
}

/* The registers at rest + 1, m tau(1 - count/m) 2^-rest. */
static struct hll_term hll_full_term(double registers, double load, int rest)
{
    double x = exp(-ldexp(load, -rest)), y = x, unit = ldexp(1, -rest) / 3;
    double first = -1, second = 0, weight = 1;
    for (int k = 1; k <= 60; k++) {
        y = sqrt(y);
        weight /= 2;
        first += 2 * weight * weight * (1 - y) * y / x;
        second += 2 * weight * weight * ((1 - 2 * y) * weight - (1 - y)) * y / (x * x);
    }
    return (struct hll_term){
        .share = -expm1(-ldexp(load, -rest)),
        .change = ldexp(exp(-ldexp(load, -rest)), -rest),
        .at = registers * ldexp(theory_hll_tau(x), -rest),
        .d = -first * unit,
        .s = second * unit / registers,
    };
}

/* The registers at 1 .. rest, which count for 2^-r. */
static struct hll_term hll_level_term(double registers, double load, int r)
{
    double half = ldexp(load, -r), share = exp(-half) * -expm1(-half);
    return (struct hll_term){
        .share = share,
        .change = ldexp(exp(-half) * (2 * exp(-half) - 1), -r),
        .at = ldexp(registers * share, -r),
        .d = ldexp(1, -r),
    };
}

/* Sums over all terms. */
struct hll_sums {
    double at, mean, square, curve, change; /* of D, p d, p d^2, s p (1 - p), d dp/dload */
};

static void hll_take(struct hll_sums *sums, const struct hll_term *term)
{
    sums->at += term->at;
    sums->mean += term->share * term->d;
    sums->square += term->share * term->d * term->d;
    sums->curve += term->s * term->share * (1 - term->share);
    sums->change += term->d * term->change;
}

/* d(A/D)/dn. */
static double hll_growth(const struct hll_sums *sums, double registers, double alpha)
{
    double ratio = registers / sums->at;
    return -alpha * ratio * ratio * sums->change;
}

/* Of A/D for n keys. */
static struct hll_law hll_quotient(const struct hll_sums *sums, double registers, double alpha,
                                   double n)
{
    double estimate = alpha * registers * registers / sums->at;
    double growth = hll_growth(sums, registers, alpha);
    double spread = registers * (sums->square - sums->mean * sums->mean) / (sums->at * sums->at);
    double poisson = estimate * estimate * spread;
    double variance = fmax(0, (poisson - n * growth * growth) * (n - 1) / n);
    double v = variance / (estimate * estimate);
    return (struct hll_law){
        .bias = estimate * (1 + spread - registers * sums->curve / (2 * sums->at)) - n,
        .variance = variance * (1 + v) * (1 + v) / (1 - 2 * v),
    };
}

struct hll_law hll_ertl_law(unsigned precision, unsigned rest, double n)
{
    double registers = ldexp(1, (int)precision), load = n / registers;
    struct hll_sums sums = {0};
    struct hll_term term = hll_empty_term(registers, load);
    hll_take(&sums, &term);
    for (int r = 1; r <= (int)rest; r++) {
        term = hll_level_term(registers, load, r);
        hll_take(&sums, &term);
    }
    term = hll_full_term(registers, load, (int)rest);
    hll_take(&sums, &term);
    return hll_quotient(&sums, registers, HLL_ALPHA_LIMIT, n);
}

/* ---- the estimate of 2007 -------------------------------------------------------------------- */

/* Without linear counting: every register counts for 2^-r. */
static struct hll_sums hll_raw_sums(unsigned precision, double n)
{
    double registers = ldexp(1, (int)precision), load = n / registers;
    struct hll_sums sums = {0};
    double empty = exp(-load);
    struct hll_term term = {.share = empty, .change = -empty, .at = registers * empty, .d = 1};
    hll_take(&sums, &term);
    for (int r = 1; r <= 65 - (int)precision; r++) {
        term = hll_level_term(registers, load, r);
        hll_take(&sums, &term);
    }
    return sums;
}

/* Mean and variance of L where R <= limit, else R: L and R normal with this covariance; all counted
 * from n. E[Z; Z > z] = phi(z), E[Z^2; Z > z] = 1 - Phi(z) + z phi(z). */
static struct hll_law hll_mixture(struct hll_law l, struct hll_law r, double covariance,
                                  double limit)
{
    double sd = sqrt(r.variance), z = (limit - r.bias) / sd, slope = covariance / sd;
    double below = erfc(-z * M_SQRT1_2) / 2, above = erfc(z * M_SQRT1_2) / 2;
    double density = exp(-z * z / 2) * M_SQRT1_2 * M_2_SQRTPI / 2;
    double mean = l.bias * below + r.bias * above + (sd - slope) * density;
    double square = (l.bias * l.bias + l.variance) * below - 2 * l.bias * slope * density -
                    slope * slope * z * density + (r.bias * r.bias + r.variance) * above +
                    2 * r.bias * sd * density + r.variance * z * density;
    return (struct hll_law){.bias = mean, .variance = fmax(0, square - mean * mean)};
}

struct moments theory_hll_moments(unsigned precision, uint64_t n)
{
    double keys = (double)n, registers = ldexp(1, (int)precision),
           alpha = theory_hll_alpha(precision);
    if (n == 0)
        return (struct moments){0, 0};
    struct hll_sums sums = hll_raw_sums(precision, keys);
    struct hll_law raw = hll_quotient(&sums, registers, alpha, keys);
    /* Cov[m ln(m/C_0), A/D]: the gradients are -1/p_0 at r = 0, and -(A/D^2) d_r. */
    double covariance = alpha * registers * registers / sums.at * (registers / sums.at - 1) -
                        keys * hll_growth(&sums, registers, alpha);
    struct moments counting = theory_cardinality_moments((uint64_t)registers, n, 1);
    /* ln(1 - 1/m) is -1/m - 1/(2m^2): linear counting is high by n/(2m) besides. */
    struct hll_law linear = {counting.mean - keys + keys / (2 * registers),
                             counting.variance * (keys - 1) / keys};
    double limit = 2.5 * registers;
    if (keys > 2 * limit) /* no register is empty where linear counting would be chosen */
        return (struct moments){keys + raw.bias, raw.variance};
    if (2 * keys < registers)
        return (struct moments){keys + linear.bias, linear.variance};
    struct hll_law law = hll_mixture(linear, raw, covariance, limit - keys);
    return (struct moments){keys + law.bias, law.variance};
}

/* ---- Ertl's ------------------------------------------------------------------------------- */

struct moments theory_hll_ertl_moments(unsigned precision, unsigned rest, uint64_t n)
{
    if (n == 0)
        return (struct moments){0, 0};
    struct hll_law law = hll_ertl_law(precision, rest, (double)n);
    return (struct moments){(double)n + law.bias, law.variance};
}

struct moments theory_hll_centred_moments(unsigned precision, unsigned rest, uint64_t n)
{
    if (n == 0)
        return (struct moments){0, 0};
    struct hll_law law = hll_ertl_law(precision, rest, (double)n);
    double shrink = 1 / (1 + law.bias / (double)n);
    return (struct moments){(double)n, law.variance * shrink * shrink};
}
