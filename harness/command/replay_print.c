/* SPDX-License-Identifier: MIT */
#include "harness/command/replay_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/command/replay_formula.h"
#include "harness/judge/thresholds.h"
#include "harness/plan/theory.h"
#include "harness/workload/workload.h"

enum { REPLAY_ROWS_MAX = 20 };

/* ---- what it is, and what was planned --------------------------------------------------------
 */

void replay_print_cell(struct text *text, const struct finished *run, const struct cell *cell)
{
    char hash[CELL_HASH_MAX], own[CELL_PARAMS_MAX];
    const struct filter_params *params = &cell->layout.params;
    const struct workload_ops *workload = workload_find(run->experiment->workload);
    cell_hash_format(cell, hash);
    text_printf(text, "CELL %s of %s\n", cell->id, run->directory);
    text_printf(text, "  experiment   %s, seed %" PRIu64 ": %s\n", run->experiment->name,
                run->experiment->seed, run->experiment->question);
    text_printf(text, "  workload     %s: %s\n", workload_name(run->experiment->workload),
                workload ? workload->summary : "not there");
    text_printf(text, "  filter       %s%s%s: %s (%s)\n", cell->ops->name, *cell->params ? " " : "",
                cell->params, cell->ops->summary, cell->ops->source);
    if (cell->hash)
        text_printf(text, "  hash         %s, family %s, digests of %u bits\n", hash,
                    family_name(cell->hash->family), cell->digest_bits);
    if (cell->ops->axes & AXIS_REDUCTION)
        text_printf(text, "  reduction    %s\n", reduction_name(params->reduction));
    text_printf(text, "  keys         %s, n = %" PRIu64 "\n", cell->source->name, cell->n);
    params_format(cell->own, workload_params(run->experiment->workload), own, sizeof own);
    if (*own)
        text_printf(text, "  its own      %s\n", own);
    if (cell->fault.kind != FAULT_NONE)
        text_printf(text,
                    "  PLANTED FAULT  %s, share %.6g: the numbers below are not the filter's\n",
                    fault_name(cell->fault.kind), cell->fault.share);
    text_printf(text, "  asked for   ");
    if (params->m)
        text_printf(text, " m = %" PRIu64 ",", params->m);
    if (params->k)
        text_printf(text, " k = %u,", params->k);
    text_printf(text, " %" PRIu64 " trials of %" PRIu64 " queries\n", cell->trials, cell->queries);
}

void replay_print_plan(struct text *text, const struct cell *cell)
{
    const struct layout *layout = &cell->layout;
    text_printf(text, "\nPLAN\n");
    if (layout->m)
        text_printf(text, "  m_actual = %" PRIu64 " positions%s\n", layout->m,
                    layout->params.m && layout->m != layout->params.m
                        ? ": not what was asked for; theory uses this one"
                        : "");
    if (layout->k)
        text_printf(text, "  k = %u probes a key, from %u digest%s\n", layout->k, layout->columns,
                    layout->columns == 1 ? "" : "s");
    if (!isnan(cell->bits_per_key))
        text_printf(text, "  %.6g positions per key\n", cell->bits_per_key);
    text_printf(text, "  memory = %" PRIu64 " bytes", layout->bytes);
    if (layout->bytes_max != layout->bytes)
        text_printf(text, ", %" PRIu64 " after n keys", layout->bytes_max);
    text_printf(text, "\n");
}

/* ---- theory -----------------------------------------------------------------------------------
 */

/* The expression in symbols, with numbers, its value and source, a line each. */
static void replay_formula_lines(struct text *text, const struct cell *cell, const char *label,
                                 const char *name, double value, const char *source)
{
    char slices[64];
    snprintf(slices, sizeof slices, "slices %.48s", name);
    if (!cell->layout.k && formula_expression(slices))
        name = slices;
    const char *expression = formula_expression(name), *reference = formula_reference(name);
    text_printf(text, "  %s\n", label);
    if (expression) {
        text_printf(text, "      ");
        formula_symbols(text, expression);
        text_printf(text, "\n");
    }
    if (expression && strchr(expression, '{')) {
        text_printf(text, "    = ");
        formula_numbers(text, expression, cell);
        text_printf(text, "\n");
    }
    text_printf(text, "    = %.8g", value);
    if (reference || (source && *source))
        text_printf(text, "    [%s]", reference ? reference : source);
    text_printf(text, "\n");
}

void replay_print_theory(struct text *text, const struct cell *cell,
                         const struct cell_theory *theory)
{
    struct formula formula;
    char name[64];
    const struct model *model = &theory->model;
    text_printf(text, "\nTHEORY\n");
    for (unsigned i = 0; theory_formula(cell->ops, &cell->layout, cell->n, i, &formula); i++)
        replay_formula_lines(text, cell, formula.name, formula.name, formula.value, formula.source);
    if (!isnan(model->fpr)) {
        replay_formula_lines(text, cell, "fpr_model", formula_of_model(cell, model->name),
                             model->fpr, model->name);
        if (model->se > 0)
            text_printf(text, "      standard error %.3g\n", model->se);
        if (!isnan(model->variance))
            text_printf(text, "      tau = %.6g: standard deviation of f between filters\n",
                        sqrt(fmax(0, model->variance)));
    }
    if (isnan(theory->fill.mean))
        return;
    snprintf(name, sizeof name, "E[X] %s", cell->ops->name);
    replay_formula_lines(text, cell, "E[X], expected positions set", name, theory->fill.mean, NULL);
    text_printf(text, "      Var[X] = %.6g\n", theory->fill.variance);
}

/* ---- trials -----------------------------------------------------------------------------------
 */

static void replay_digests(struct text *text, const struct finished *run, const struct cell *cell,
                           const struct trial_result *result)
{
    if (cell->hash)
        text_printf(text, "  hash seed %" PRIu64 "%s\n",
                    cell_family(run->experiment, cell, result->seed).hash_seed,
                    run->experiment->hash_seed_fixed ? ", as the experiment fixes it" : "");
    text_printf(text, "  keys_digest %016" PRIx64 ", bits_digest %016" PRIx64 "\n",
                result->keys_digest, result->bits_digest);
}

static void replay_column(struct text *text, double value)
{
    if (isnan(value))
        text_printf(text, " %12s", "-");
    else
        text_printf(text, " %12.6g", value);
}

void replay_print_trials(struct text *text, const struct finished *run, const struct cell *cell,
                         uint64_t first, uint64_t count, const struct trial_result *again)
{
    char name[64];
    text_printf(text, "\nTRIALS, run again from their seeds\n");
    text_printf(text, "  %5s %20s %10s %10s %12s %12s %12s  %s\n", "trial", "seed", "X", "hits",
                "fpr", "f_t", "(X/m)^k", "Wilson 95 %");
    for (uint64_t t = first; t < first + count && t - first < REPLAY_ROWS_MAX; t++) {
        const struct trial_result *r = &again[cell->first_result + t];
        bool asked = r->queries > 0;
        text_printf(text, "  %5" PRIu64 " %20" PRIu64 " %10" PRIu64 " %10" PRIu64, t, r->seed,
                    r->bits_set, r->false_positives);
        replay_column(text, asked ? (double)r->false_positives / (double)r->queries : NAN);
        replay_column(text, r->fpr_scheme);
        replay_column(text, r->fpr_bits);
        if (asked)
            text_printf(text, "  %.6g .. %.6g", r->wilson_lo, r->wilson_hi);
        text_printf(text, "\n");
    }
    if (count > REPLAY_ROWS_MAX)
        text_printf(text, "  ... and %" PRIu64 " more in %s/trials.csv\n", count - REPLAY_ROWS_MAX,
                    run->directory);
    text_printf(text, "  X: positions set; f_t: the chance that a fresh key with ideal digests "
                      "hits this very filter");
    snprintf(name, sizeof name, "f_t %s", cell->ops->name);
    if (formula_expression(name)) {
        text_printf(text, ",\n  ");
        formula_symbols(text, formula_expression(name));
        if (strchr(formula_expression(name), '{'))
            text_printf(text, " = ");
        if (strchr(formula_expression(name), '{'))
            formula_numbers(text, formula_expression(name), cell);
    }
    text_printf(text, "\n");
    if (count == 1)
        replay_digests(text, run, cell, &again[cell->first_result + first]);
}

/* ---- rates ------------------------------------------------------------------------------------
 */

static void replay_interval(struct text *text, const struct cell *cell, const struct judgement *j)
{
    double n = (double)cell->trials * (double)cell->queries;
    if (!*j->interval) {
        text_printf(text, "                  no interval: the trials are no replicates\n");
        return;
    }
    bool cluster = strcmp(j->interval, "wilson_cluster") == 0;
    text_printf(text, "                  95 %%: %.6g .. %.6g (%s)\n", j->fpr_interval.lo,
                j->fpr_interval.hi, j->interval);
    text_printf(text,
                "                  Wilson's score interval with n_eff = T Q / deff = %.8g / "
                "%.6g = %.6g,\n",
                n, j->deff, n / j->deff);
    text_printf(text,
                "                  deff = 1 + (Q - 1) tau^2 / (f (1 - f)), tau from %s "
                "[Wilson, JASA 22, 1927]\n",
                cluster ? "the trials' f_t, quantile of Student's t" : "theory");
}

void replay_print_rates(struct text *text, const struct cell *cell,
                        const struct cell_summary *summary)
{
    const struct judgement *j = &summary->judgement;
    double n = (double)cell->trials * (double)cell->queries;
    text_printf(text, "\nRATES, from the %" PRIu64 " trials of trials.csv\n", summary->trials);
    if (!isnan(j->fpr)) {
        text_printf(text, "  fpr             hits / queries = %" PRIu64 " / %.0f = %.6g\n",
                    summary->hits, n, j->fpr);
        replay_interval(text, cell, j);
    }
    if (!isnan(j->fpr_scheme)) {
        text_printf(text, "  fpr_scheme      mean of f_t = %.6g", j->fpr_scheme);
        if (!isnan(j->fpr_scheme_interval.lo))
            text_printf(text, ", 95 %%: %.6g .. %.6g (Student's t over the trials)",
                        j->fpr_scheme_interval.lo, j->fpr_scheme_interval.hi);
        text_printf(text, "\n");
    }
    if (!isnan(j->fpr_bits))
        text_printf(text, "  fpr_bits        mean of (X/m)^k = %.6g\n", j->fpr_bits);
    if (!isnan(j->ratio))
        text_printf(text, "  ratio           measured / fpr_model = %.6g", j->ratio);
    if (!isnan(j->ratio_interval.lo))
        text_printf(text, ", 95 %%: %.6g .. %.6g", j->ratio_interval.lo, j->ratio_interval.hi);
    if (!isnan(j->ratio))
        text_printf(text, "\n");
    if (*j->explained_by)
        text_printf(text, "  explained by    %s\n", j->explained_by);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

struct replay_sums {
    double trials, queries, bits, squares, hits, expected, binomial;
};

static void replay_sum(struct replay_sums *sums, const struct cell *cell,
                       const struct trial_result *results)
{
    const struct trial_result *r = &results[cell->first_result];
    *sums = (struct replay_sums){.trials = (double)cell->trials, .queries = (double)cell->queries};
    for (uint64_t t = 0; t < cell->trials; t++) {
        sums->bits += (double)r[t].bits_set;
        sums->hits += (double)r[t].false_positives;
        sums->expected += sums->queries * r[t].fpr_scheme;
        sums->binomial += sums->queries * r[t].fpr_scheme * (1 - r[t].fpr_scheme);
    }
    for (uint64_t t = 0; t < cell->trials; t++) {
        double d = (double)r[t].bits_set - sums->bits / sums->trials;
        sums->squares += d * d;
    }
}

enum { REPLAY_QUOTIENT = 32 };

/* a / b, b a standard deviation or a variance. */
static const char *replay_quotient(char out[REPLAY_QUOTIENT], double a, double b)
{
    if (b > 0)
        snprintf(out, REPLAY_QUOTIENT, "%.4g", a / b);
    else
        snprintf(out, REPLAY_QUOTIENT, a == 0 ? "0: nothing varies" : "impossible");
    return out;
}

/* Question, statistic, p. The statistic's line is `numbers`, made by the caller. */
static void replay_test(struct text *text, const char *name, const char *question,
                        struct test_result test, const char *law, const char *numbers)
{
    text_printf(text, "  %-8s %s\n", name, question);
    if (isnan(test.p))
        text_printf(text, "           does not apply here\n");
    else
        text_printf(text, "           %s\n           p = %.4g, z = %.3f    (%s)\n", numbers, test.p,
                    test.z, law);
}

static void replay_model_numbers(char *numbers, size_t size, const struct replay_sums *s,
                                 const struct model *model, double scheme)
{
    char quotient[REPLAY_QUOTIENT];
    bool asked = s->queries > 0;
    double p = model->fpr, rate = asked ? s->hits / (s->trials * s->queries) : scheme;
    double within = asked ? (p - p * p - model->variance) / s->queries : 0;
    double se =
        sqrt((model->variance + within) / s->trials + (model->se > 0 ? model->se * model->se : 0));
    snprintf(numbers, size,
             "(%.6g - %.6g) / sqrt([tau^2 + (p - p^2 - tau^2)/Q]/T + se^2) = %.4g / %.4g = %s",
             rate, p, rate - p, se, replay_quotient(quotient, rate - p, se));
}

void replay_print_tests(struct text *text, const struct cell *cell,
                        const struct trial_result *results, const struct cell_summary *summary)
{
    const struct judgement *j = &summary->judgement;
    const struct moments fill = summary->theory.fill;
    struct replay_sums s;
    char numbers[256], quotient[REPLAY_QUOTIENT];
    replay_sum(&s, cell, results);
    text_printf(text, "\nTESTS (z: the normal score of p)\n");
    snprintf(
        numbers, sizeof numbers,
        "(mean X - E[X]) / sqrt(Var[X]/T) = (%.8g - %.8g) / sqrt(%.6g/%.0f) = %s",
        s.bits / s.trials, fill.mean, fill.variance, s.trials,
        replay_quotient(quotient, s.bits / s.trials - fill.mean, sqrt(fill.variance / s.trials)));
    replay_test(text, "fill", "are as many positions set as the scheme fills?", j->fill_test,
                "normal, or an exact law where T Var[X] is small", numbers);
    snprintf(numbers, sizeof numbers,
             "sum (X_t - mean)^2 / Var[X] = %.6g / %.6g = %s, expected T - 1 = %.0f", s.squares,
             fill.variance, replay_quotient(quotient, s.squares, fill.variance), s.trials - 1);
    replay_test(text, "spread", "do the trials' X vary as they should?", j->spread,
                "chi-squared, or an exact law where Var[X] is small", numbers);
    snprintf(numbers, sizeof numbers,
             "(H - sum Q f_t) / sqrt(sum Q f_t (1 - f_t)) = (%.0f - %.6g) / %.6g = %s", s.hits,
             s.expected, sqrt(s.binomial),
             replay_quotient(quotient, s.hits - s.expected, sqrt(s.binomial)));
    replay_test(text, "probe", "given these filters, do queries hit as often as they should?",
                j->probe, "binomial mid-p where few hits are expected, else normal", numbers);
    replay_model_numbers(numbers, sizeof numbers, &s, &summary->theory.model, j->fpr_scheme);
    replay_test(text, "model", "is the mean rate what theory says?", j->model_test,
                "from the law of f, which is skewed", numbers);
}

void replay_print_verdict(struct text *text, const struct cell_summary *summary)
{
    const struct judgement *j = &summary->judgement;
    const double p[] = {j->fill_test.p, j->spread.p, j->probe.p, j->model_test.p};
    double least = NAN;
    for (int i = 0; i < JUDGE_TESTS; i++)
        least = fmin(least, p[i]); /* fmin passes over NaN */
    text_printf(text, "\nVERDICT %s\n",
                j->verdict == VERDICT_NONE ? "none" : judge_verdict_name(j->verdict));
    if (!isnan(least))
        text_printf(text, "  P = %d min p = %.4g\n", JUDGE_TESTS, fmin(1, JUDGE_TESTS * least));
    text_printf(text,
                "  FAIL  P < %g, and the %.4g %% interval of the effect lies outside 1/%g .. %g\n"
                "  WARN  P < %g, or a flag that warns\n"
                "  WEAK  neither, but the smallest ratio these queries would have found, mde, is "
                "above %g\n"
                "  PASS  otherwise\n",
                JUDGE_FAIL_P, 100 * JUDGE_EFFECT_LEVEL, JUDGE_EFFECT, JUDGE_EFFECT, JUDGE_WARN_P,
                JUDGE_WEAK_MDE);
    if (!isnan(j->mde))
        text_printf(text, "  mde = %.6g (found at P < %g with power %g %%)\n", j->mde, JUDGE_WARN_P,
                    100 * JUDGE_POWER);
    if (*summary->flags)
        text_printf(text, "  flags: %s\n", summary->flags);
    if (summary->false_negatives)
        text_printf(text, "  %" PRIu64 " FALSE NEGATIVES\n", summary->false_negatives);
}
