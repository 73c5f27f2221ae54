/* SPDX-License-Identifier: MIT */
#include "harness/claims/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const claim_verdict_name[CLAIM_VERDICTS] = {
    [CLAIM_REPRODUCED] = "reproduced", [CLAIM_WITHIN_ERROR] = "within error",
    [CLAIM_AMBIGUOUS] = "ambiguous",   [CLAIM_REFUTED] = "refuted",
    [CLAIM_EXTERNAL] = "external",
};

static const double finding_level = 0.95;

static void finding_worsen(struct finding *finding, enum claim_verdict verdict)
{
    if (finding->verdict < verdict)
        finding->verdict = verdict;
}

static struct reading *finding_add(struct finding *finding, const char *name)
{
    static struct reading none; /* a ninth one is a mistake of this room: it is not shown */
    if (finding->readings == FINDING_READINGS_MAX)
        return &none;
    struct reading *reading = &finding->reading[finding->readings++];
    *reading = (struct reading){.claimed = NAN, .value = NAN, .range = {NAN, NAN}, .z = NAN};
    snprintf(reading->name, sizeof reading->name, "%s", name);
    return reading;
}

/* Half a unit, and a hair more for what a double cannot say. */
static bool finding_agrees(double claimed, double unit, double value)
{
    double slack = 1e-12 * fabs(claimed);
    if (unit < 0)
        return value >= claimed - slack;
    return fabs(value - claimed) <= unit / 2 + slack;
}

void finding_computed(struct finding *finding, const char *name, double claimed, double unit,
                      double value)
{
    struct reading *reading = finding_add(finding, name);
    reading->claimed = claimed;
    reading->value = value;
    if (!finding_agrees(claimed, unit, value))
        finding_worsen(finding, CLAIM_REFUTED);
}

void finding_measured(struct finding *finding, const char *name, double claimed, double value,
                      struct interval range, double z)
{
    struct reading *reading = finding_add(finding, name);
    reading->claimed = claimed;
    reading->value = value;
    reading->range = range;
    reading->z = z;
    if (isnan(claimed))
        return;
    finding_worsen(finding, fabs(z) < CLAIM_Z_MAX ? CLAIM_WITHIN_ERROR : CLAIM_REFUTED);
}

/* Values that are all the same are off by nothing or by too much. */
static double finding_z(double off, double error)
{
    if (error > 0 || isnan(off))
        return off / error;
    return off == 0 ? 0 : copysign(STATS_Z_IMPOSSIBLE, off);
}

void finding_mean(struct finding *finding, const char *name, double claimed, const double *value,
                  size_t count)
{
    struct moments moments = stats_moments(value, count);
    finding_measured(finding, name, claimed, moments.mean,
                     stats_t_interval(value, count, finding_level),
                     finding_z(moments.mean - claimed, sqrt(moments.variance / (double)count)));
}

void finding_draw(struct finding *finding, const char *name, double claimed, const double *value,
                  size_t count, double draws)
{
    struct moments moments = stats_moments(value, count);
    double sd = sqrt(moments.variance * (1 / draws + 1 / (double)count));
    double reach = sd * stats_t_quantile((1 + finding_level) / 2, (double)count - 1);
    finding_measured(finding, name, claimed, moments.mean,
                     (struct interval){moments.mean - reach, moments.mean + reach},
                     finding_z(moments.mean - claimed, sd));
}

void finding_share(struct finding *finding, const char *name, double claimed, uint64_t hits,
                   uint64_t chances)
{
    double z = NAN;
    if (!isnan(claimed))
        z = stats_score(stats_binomial_tails(hits, chances, claimed)).z;
    finding_measured(finding, name, claimed, (double)hits / (double)chances,
                     stats_wilson(hits, chances, finding_level), z);
}

void finding_aside(struct finding *finding, const char *name, double value)
{
    finding_add(finding, name)->value = value;
}

void finding_holds(struct finding *finding, bool holds, enum claim_verdict otherwise)
{
    if (!holds)
        finding_worsen(finding, otherwise);
}

static void finding_print(char text[FINDING_TEXT_MAX], const char *format, va_list arguments)
{
    size_t used = strlen(text);
    vsnprintf(text + used, FINDING_TEXT_MAX - used, format, arguments);
}

void finding_say(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding_print(finding->measured, format, arguments);
    va_end(arguments);
}

void finding_how(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    finding_print(finding->how, format, arguments);
    va_end(arguments);
}

/* Whole numbers whole, measured ones with 6 digits, computed ones with 9. */
static void finding_number(char text[32], const struct reading *reading)
{
    double value = reading->value;
    if (value == floor(value) && fabs(value) < 1e15)
        snprintf(text, 32, "%.0f", value);
    else
        snprintf(text, 32, isnan(reading->range.lo) ? "%.9g" : "%.6g", value);
}

static void finding_describe(struct finding *finding)
{
    for (unsigned i = 0; i < finding->readings; i++) {
        const struct reading *reading = &finding->reading[i];
        char number[32];
        finding_number(number, reading);
        finding_say(finding, "%s%s%s%s", i ? "; " : "", number, *reading->name ? " " : "",
                    reading->name);
        if (!isnan(reading->z))
            finding_say(finding, " (z = %.2f)", reading->z);
    }
}

void finding_finish(struct finding *finding, char intervals[FINDING_TEXT_MAX])
{
    size_t used = 0;
    if (!*finding->measured)
        finding_describe(finding);
    intervals[0] = '\0';
    for (unsigned i = 0; i < finding->readings && used < FINDING_TEXT_MAX; i++) {
        const struct interval *range = &finding->reading[i].range;
        if (!isnan(range->lo))
            used += (size_t)snprintf(intervals + used, FINDING_TEXT_MAX - used, "%s[%.6g, %.6g]",
                                     used ? "; " : "", range->lo, range->hi);
    }
}
