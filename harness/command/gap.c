/* SPDX-License-Identifier: MIT
 *
 * gap.c: the gap of a variant is fpr_model / fpr_exact - 1: its own theory over the classic
 * filter's exact rate at the same (m_actual, n, k).
 *
 * It is looked at on powers of two, upwards, until it has stayed within P for some octaves. With a
 * fixed ratio m/n it shrinks like C/m for schemes whose limit is the classic filter's (Kirsch &
 * Mitzenmacher, RSA 33(2), 2008), and for others (blocked) tends to something else: then there is
 * no such m. Where the model is sampled its error counts against it. Between powers of two the
 * answer is refined only where the gap is a smooth function of m: the rate of double hashing
 * depends on the divisors of m.
 */
#include "harness/command/gap.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plan/theory.h"

enum {
    GAP_OCTAVE_MAX = 40,  /* 2^40 positions */
    GAP_OCTAVES_MORE = 3, /* within P for so many octaves more: it stays */
    GAP_POINTS = 8,       /* inside an octave, to see whether the gap is smooth */
    GAP_NEXT = 64,        /* values of m after a refined one that must be within too */
};

static const double gap_quantile = 2;   /* standard errors that count against a sampled model */
static const double gap_shrinks = 0.75; /* from octave to octave, where it falls like 1/m */
static const double gap_rounding = 1.25;
static const double gap_smoothness = 1.25; /* greatest over smallest gap * m inside an octave */

struct gap_point {
    bool possible;
    struct layout layout;
    uint64_t m, n;
    double exact, model, gap, se; /* se: of the gap */
    const char *name;
};

/* ---- one m ------------------------------------------------------------------------------------
 */

static void gap_at(struct gap_point *point, const struct gap_request *request, uint64_t m)
{
    struct filter_params params = request->params;
    struct cell_theory theory;
    *point = (struct gap_point){.m = m, .n = (uint64_t)llround((double)m / request->bits_per_key)};
    if (point->n == 0)
        return;
    params.m = m;
    params.n = point->n;
    if (request->ops->axes & AXIS_K)
        params.k = request->k ? (unsigned)request->k : theory_best_k(m, point->n, FILTER_K_MAX);
    if (request->ops->plan(&point->layout, &params, NULL) != OK || !point->layout.k)
        return;
    theory_of_layout(&theory, request->ops, &point->layout, point->n);
    point->exact = theory_fpr_exact(point->layout.m, point->n, point->layout.k);
    point->model = theory.model.fpr;
    point->name = theory.model.name;
    point->gap = point->model / point->exact - 1;
    point->se = theory.model.se > 0 ? theory.model.se / point->exact : 0;
    /* A size that was rounded up beyond recognition is another ratio. */
    bool near = (double)point->layout.m <= gap_rounding * (double)m;
    point->possible = near && point->exact > 0 && !isnan(point->model);
}

static bool gap_within(const struct gap_point *point, double gap)
{
    return fabs(point->gap) + gap_quantile * point->se <= gap;
}

/* ---- between powers of two --------------------------------------------------------------------
 */

/* Does the gap fall like 1/m from `outside` (a power of two) to twice that? */
static bool gap_smooth(const struct gap_request *request, uint64_t outside)
{
    double least = INFINITY, most = 0;
    for (uint64_t i = 0; i <= GAP_POINTS; i++) {
        struct gap_point point;
        /* An odd offset inside the octave: points of all kinds of divisors. */
        uint64_t m = outside + i * (outside / GAP_POINTS) + (i % GAP_POINTS ? i : 0);
        gap_at(&point, request, m);
        if (!point.possible || point.se > 0)
            return false;
        least = fmin(least, fabs(point.gap) * (double)m);
        most = fmax(most, fabs(point.gap) * (double)m);
    }
    return most <= gap_smoothness * least;
}

/* The smallest m in (outside, inside] that is within, as are the next GAP_NEXT ones. */
static uint64_t gap_refine(const struct gap_request *request, uint64_t outside, uint64_t inside)
{
    struct gap_point point;
    while (inside - outside > 1) {
        uint64_t middle = outside + (inside - outside) / 2;
        gap_at(&point, request, middle);
        if (point.possible && gap_within(&point, request->gap))
            inside = middle;
        else
            outside = middle;
    }
    for (uint64_t m = inside, checked = 0; checked < GAP_NEXT; m++, checked++) {
        gap_at(&point, request, m);
        if (!point.possible || !gap_within(&point, request->gap)) {
            inside = m + 1;
            checked = 0;
        }
    }
    return inside;
}

/* ---- the scan ---------------------------------------------------------------------------------
 */

struct gap_scan {
    struct gap_point point[GAP_OCTAVE_MAX + 1];
    unsigned count;   /* octaves looked at, from 2^0 */
    int last_outside; /* the last octave that is not within; -1: none */
    int first;        /* the first octave that can be had; -1: none */
    uint64_t answer;  /* the smallest m; 0: there is none */
    bool refined;     /* it need not be a power of two */
};

/* Has the gap been within for some octaves, and fallen in each (or is there none)? */
static bool gap_settled(const struct gap_scan *scan, double gap)
{
    for (unsigned i = 0; i <= GAP_OCTAVES_MORE; i++) {
        if (scan->count < i + 2)
            return false;
        const struct gap_point *point = &scan->point[scan->count - 1 - i], *before = point - 1;
        double noise = gap_quantile * (point->se + before->se);
        bool falls = fabs(point->gap) <= gap_shrinks * fabs(before->gap) + noise;
        if (!point->possible || !gap_within(point, gap) || (before->possible && !falls))
            return false;
    }
    return true;
}

/* A few octaves at a time, over threads: they cost up to seconds where a model is sampled. */
static void gap_scan_all(struct gap_scan *scan, const struct gap_request *request)
{
    unsigned step = (unsigned)omp_get_max_threads();
    *scan = (struct gap_scan){.last_outside = -1, .first = -1};
    while (scan->count <= GAP_OCTAVE_MAX && !gap_settled(scan, request->gap)) {
        unsigned end = scan->count + step;
        if (end > GAP_OCTAVE_MAX + 1)
            end = GAP_OCTAVE_MAX + 1;
#pragma omp parallel for schedule(dynamic)
        for (unsigned i = scan->count; i < end; i++)
            gap_at(&scan->point[i], request, UINT64_C(1) << i);
        /* One by one, so that the table does not depend on the number of threads. */
        while (scan->count < end && !gap_settled(scan, request->gap))
            scan->count++;
    }
    for (unsigned i = 0; i < scan->count; i++) {
        if (!scan->point[i].possible)
            continue;
        if (scan->first < 0)
            scan->first = (int)i;
        if (!gap_within(&scan->point[i], request->gap))
            scan->last_outside = (int)i;
    }
}

static void gap_find_answer(struct gap_scan *scan, const struct gap_request *request)
{
    if (scan->last_outside == (int)scan->count - 1)
        return;
    if (scan->last_outside < 0) {
        scan->answer = UINT64_C(1) << scan->first;
        return;
    }
    uint64_t outside = UINT64_C(1) << scan->last_outside;
    scan->refined = gap_smooth(request, outside);
    scan->answer = scan->refined ? gap_refine(request, outside, 2 * outside) : 2 * outside;
}

/* ---- telling ----------------------------------------------------------------------------------
 */

static void gap_table_csv(struct text *text, const struct gap_request *request,
                          const struct gap_scan *scan)
{
    char own[512];
    text_printf(text,
                "filter,params,m,m_actual,n,k,fpr_exact,fpr_model,model,gap,gap_se,gap_times_m,"
                "within,smallest_m\n");
    for (unsigned i = 0; i < scan->count; i++) {
        const struct gap_point *point = &scan->point[i];
        if (!point->possible)
            continue;
        filter_params_format(&point->layout.params, request->ops, own, sizeof own);
        field_string(text, request->ops->name);
        field_string(text, own);
        field_count(text, point->m);
        field_count(text, point->layout.m);
        field_count(text, point->n);
        field_count(text, point->layout.k);
        field_real(text, point->exact, 12);
        field_real(text, point->model, 12);
        field_string(text, point->name);
        field_rate(text, point->gap);
        field_rate(text, point->se);
        field_rate(text, point->gap * (double)point->layout.m);
        field_count(text, gap_within(point, request->gap));
        if (scan->answer)
            field_count(text, scan->answer);
        else
            field_empty(text);
        row_end(text);
    }
}

static void gap_table(struct text *text, const struct gap_request *request,
                      const struct gap_scan *scan)
{
    char own[512];
    const struct gap_point *last = &scan->point[scan->count - 1];
    filter_params_format(&last->layout.params, request->ops, own, sizeof own);
    text_printf(text, "%s%s%s, %.6g positions per key: gap = fpr_model / fpr_exact - 1\n\n",
                request->ops->name, *own ? " " : "", own, request->bits_per_key);
    text_printf(text, "%14s %14s %14s %4s %14s %14s %12s %10s %12s\n", "m", "m_actual", "n", "k",
                "fpr_exact", "fpr_model", "gap", "+-", "gap * m");
    for (unsigned i = 0; i < scan->count; i++) {
        const struct gap_point *point = &scan->point[i];
        if (!point->possible)
            continue;
        text_printf(text, "%14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %4u %14.8g %14.8g %12.4g ",
                    point->m, point->layout.m, point->n, point->layout.k, point->exact,
                    point->model, point->gap);
        if (point->se > 0)
            text_printf(text, "%10.2g", point->se);
        else
            text_printf(text, "%10s", "exact");
        text_printf(text, " %12.6g%s\n", point->gap * (double)point->layout.m,
                    gap_within(point, request->gap) ? "  within" : "");
    }
}

static void gap_answer_found(struct text *text, const struct gap_request *request,
                             const struct gap_scan *scan)
{
    struct gap_point at;
    gap_at(&at, request, scan->answer);
    text_printf(text, "smallest m = %" PRIu64 ": gap %.4g", scan->answer, at.gap);
    if (at.se > 0)
        text_printf(text,
                    " +- %.2g, the model being sampled; %g of these standard errors count "
                    "against it",
                    at.se, gap_quantile);
    if (scan->last_outside < 0)
        text_printf(text, "; the smallest power of two there is");
    else if (scan->refined)
        text_printf(text, "; found by bisection between powers of two, where the gap falls "
                          "smoothly");
    else
        text_printf(text, "; the smallest power of two: between them the gap is no smooth function "
                          "of m, or not known exactly");
    text_printf(text, "\nit stays within up to 2^%u, the largest looked at\n", scan->count - 1);
}

static void gap_answer(struct text *text, const struct gap_request *request,
                       const struct gap_scan *scan)
{
    const struct gap_point *last = &scan->point[scan->count - 1], *before = last - 1;
    double scaled = last->gap * (double)last->layout.m;
    double other = before->gap * (double)before->layout.m;
    text_printf(text, "\n");
    if (scan->answer)
        gap_answer_found(text, request, scan);
    else
        text_printf(text,
                    "no m up to 2^%d is within %.4g for good: the gap there is %.4g +- %.2g\n",
                    GAP_OCTAVE_MAX, request->gap, last->gap, last->se);
    if (before->possible && scaled != 0 && fabs(other / scaled - 1) < 0.1 &&
        last->se < 0.1 * fabs(last->gap))
        text_printf(text, "gap = C/m with C = %.4g, from the largest m\n", scaled);
}

enum status gap_find(struct text *text, const struct gap_request *request, struct error *err)
{
    struct gap_scan scan;
    if (!(request->ops->axes & AXIS_M) || !request->ops->expected_fpr)
        return fail(err, E_INPUT,
                    "--gap compares variants that are given m and have a theory; %s is none",
                    request->ops->name);
    gap_scan_all(&scan, request);
    if (scan.first < 0)
        return fail(err, E_INPUT,
                    "%s: there is no power of two up to 2^%d with %.6g positions per key that it "
                    "could have",
                    request->ops->name, GAP_OCTAVE_MAX, request->bits_per_key);
    gap_find_answer(&scan, request);
    if (request->csv) {
        gap_table_csv(text, request, &scan);
        return OK;
    }
    gap_table(text, request, &scan);
    gap_answer(text, request, &scan);
    return OK;
}
