/* SPDX-License-Identifier: MIT
 *
 * normal.c: continuous laws, and the normal scores that make all tests readable alike.
 *
 * What surprises: tails are logarithms. GSL's distribution functions underflow near 1e-308, where a
 * broken hash is only beginning; below, the chi-squared tails come from their series (Abramowitz &
 * Stegun 6.5.29 and 6.5.31), the normal ones from gsl_sf_log_erfc.
 */
#include "harness/stats/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

void stats_init(void)
{
    gsl_set_error_handler_off();
}

double stats_normal_quantile(double p)
{
    return gsl_cdf_ugaussian_Pinv(p);
}

/* gsl_cdf_tdist_Pinv is off by 3e-7 from about 1e6 degrees of freedom on; the first two terms of
 * Cornish & Fisher's expansion (A&S 26.7.5) are exact to 1e-12 there. */
double stats_t_quantile(double p, double freedom)
{
    if (isnan(freedom))
        return NAN;
    if (freedom < 1e5)
        return gsl_cdf_tdist_Pinv(p, freedom);
    double z = stats_normal_quantile(p), z3 = z * z * z;
    return z + (z3 + z) / (4 * freedom) +
           (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

double stats_normal_two_sided(double z)
{
    return erfc(fabs(z) * M_SQRT1_2);
}

double stats_t_two_sided(double t, double freedom)
{
    return isnan(t) ? NAN : fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), freedom));
}

double stats_normal_log_tail(double z)
{
    if (isnan(z) || isinf(z))
        return isnan(z) ? NAN : z > 0 ? -INFINITY : 0;
    return gsl_sf_log_erfc(z * M_SQRT1_2) - M_LN2;
}

double stats_normal_from_log_tail(double log_tail)
{
    if (isnan(log_tail))
        return NAN;
    if (isinf(log_tail))
        return STATS_Z_IMPOSSIBLE;
    if (log_tail > -600)
        return gsl_cdf_ugaussian_Qinv(exp(log_tail));
    /* Newton on ln Q(z), whose slope is -(z + 1/z) up to z^-3. */
    double z = sqrt(-2 * log_tail);
    for (int i = 0; i < 6; i++)
        z += (stats_normal_log_tail(z) - log_tail) / (z + 1 / z);
    return fmin(z, STATS_Z_IMPOSSIBLE);
}

double stats_signed_z(double p_two_sided, double sign)
{
    if (isnan(p_two_sided))
        return NAN;
    double z = p_two_sided >= 1 ? 0 : stats_normal_from_log_tail(log(p_two_sided) - M_LN2);
    return sign < 0 ? -z : z;
}

/* Noise around 0 is 0, or a table would say -0.000 on one machine and 0.000 on another. */
static struct score normal_score(double z, double p)
{
    return (struct score){.z = fabs(z) < 5e-4 ? 0 : z, .p = p};
}

struct score stats_score(struct mid_tails tails)
{
    if (isnan(tails.log_below) || isnan(tails.log_above))
        return (struct score){NAN, NAN};
    double log_tail = fmin(tails.log_below, tails.log_above);
    if (log_tail >= -M_LN2)
        return (struct score){0, 1};
    double z = stats_normal_from_log_tail(log_tail);
    return normal_score(tails.log_above < tails.log_below ? z : -z, fmin(1, 2 * exp(log_tail)));
}

struct score stats_score_normal(double z)
{
    if (isnan(z))
        return (struct score){NAN, NAN};
    return normal_score(fmax(-STATS_Z_IMPOSSIBLE, fmin(STATS_Z_IMPOSSIBLE, z)),
                        stats_normal_two_sided(z));
}

/* ln of the lower regularised gamma function where it underflows: x far below a. */
static double normal_log_gamma_lower(double a, double x)
{
    double term = 1, sum = 1;
    for (int i = 1; i < 10000 && term > 1e-17 * sum; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return a * log(x) - x - gsl_sf_lngamma(a + 1) + log(sum);
}

/* ln of the upper one: x far above a; the continued fraction, from its tail. */
static double normal_log_gamma_upper(double a, double x)
{
    double fraction = 0;
    for (int i = 200; i >= 1; i--)
        fraction = i * (a - i) / (x + 2 * i + 1 - a + fraction);
    return a * log(x) - x - gsl_sf_lngamma(a) - log(x + 1 - a + fraction);
}

struct mid_tails stats_chi2_tails(double statistic, double freedom)
{
    if (isnan(statistic) || !(freedom > 0))
        return (struct mid_tails){NAN, NAN};
    if (statistic <= 0)
        return (struct mid_tails){.log_below = -INFINITY, .log_above = 0};
    double below = gsl_cdf_chisq_P(statistic, freedom), above = gsl_cdf_chisq_Q(statistic, freedom);
    double a = freedom / 2, x = statistic / 2;
    return (struct mid_tails){
        .log_below = below > 1e-290 ? log(below) : normal_log_gamma_lower(a, x),
        .log_above = above > 1e-290 ? log(above) : normal_log_gamma_upper(a, x),
    };
}

double stats_chi2_two_sided(double statistic, double freedom)
{
    return stats_score(stats_chi2_tails(statistic, freedom)).p;
}
