/* SPDX-License-Identifier: MIT */
#include "harness/table/trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/stats.h"

const char trials_header[] =
    "experiment,cell_id,trial,seed,filter,params,hash,family,digest_bits,reduction,keys,m,m_actual,"
    "n,n_distinct,k,queries,false_positives,false_negatives,bits_set,fpr,fpr_bits,fpr_scheme,"
    "wilson_lo,wilson_hi,cp_lo,cp_hi,memory_bytes,keys_digest,bits_digest\n";

enum trial_column {
    COLUMN_CELL_ID = 1,
    COLUMN_TRIAL,
    COLUMN_SEED,
    COLUMN_N_DISTINCT = 14,
    COLUMN_QUERIES = 16,
    COLUMN_FALSE_POSITIVES,
    COLUMN_FALSE_NEGATIVES,
    COLUMN_BITS_SET,
    COLUMN_FPR_BITS = 21,
    COLUMN_FPR_SCHEME,
    COLUMN_WILSON_LO,
    COLUMN_WILSON_HI,
    COLUMN_CP_LO,
    COLUMN_CP_HI,
    COLUMN_MEMORY_BYTES,
    COLUMN_KEYS_DIGEST,
    COLUMN_BITS_DIGEST,
};

static double printed(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return isnan(value) ? value : strtod(text, NULL);
}

/* Whole numbers are printed whole. */
static bool is_whole(double value)
{
    return value == floor(value) && fabs(value) < 1e15;
}

void trial_result_finish(struct trial_result *result)
{
    struct interval wilson = stats_wilson(result->false_positives, result->queries, 0.95);
    struct interval exact = stats_clopper_pearson(result->false_positives, result->queries, 0.95);
    result->wilson_lo = wilson.lo;
    result->wilson_hi = wilson.hi;
    result->cp_lo = exact.lo;
    result->cp_hi = exact.hi;
    for (unsigned i = 0; i < result->measure_count; i++)
        if (!is_whole(result->measures[i].value))
            result->measures[i].value = printed(result->measures[i].value);
    result->fpr_bits = printed(result->fpr_bits);
    result->fpr_scheme = printed(result->fpr_scheme);
}

void cell_columns(struct text *text, const struct cell *cell)
{
    char hash[CELL_HASH_MAX];
    const struct filter_params *params = &cell->layout.params;
    cell_hash_format(cell, hash);
    field_string(text, cell->ops->name);
    field_string(text, cell->params);
    field_string(text, hash);
    field_string(text, cell->hash ? family_name(cell->hash->family) : "");
    field_axis(text, cell->hash != NULL, cell->digest_bits);
    field_string(text, cell->ops->axes & AXIS_REDUCTION ? reduction_name(params->reduction) : "");
    field_string(text, cell->source->name);
}

void trial_row(struct text *text, const struct plan *plan, const struct cell *cell, uint64_t trial,
               const struct trial_result *result)
{
    bool asked = cell->ops->query != NULL;
    double fpr = result->queries ? (double)result->false_positives / (double)result->queries : NAN;
    field_string(text, plan->experiment->name);
    field_string(text, cell->id);
    field_count(text, trial);
    field_count(text, result->seed);
    cell_columns(text, cell);
    field_axis(text, cell->layout.params.m > 0, cell->layout.params.m);
    field_axis(text, cell->layout.m > 0, cell->layout.m);
    field_count(text, cell->n);
    field_count(text, result->n_distinct);
    field_axis(text, cell->layout.k > 0, cell->layout.k);
    field_axis(text, asked, result->queries);
    field_axis(text, asked, result->false_positives);
    field_axis(text, asked, result->false_negatives);
    field_count(text, result->bits_set);
    field_rate(text, fpr);
    field_rate(text, result->fpr_bits);
    field_rate(text, result->fpr_scheme);
    field_rate(text, result->wilson_lo);
    field_rate(text, result->wilson_hi);
    field_rate(text, result->cp_lo);
    field_rate(text, result->cp_hi);
    field_count(text, result->memory_bytes);
    field_hex(text, result->keys_digest);
    field_hex(text, result->bits_digest);
}

void measure_value(struct text *text, double value)
{
    if (is_whole(value))
        text_printf(text, "%.0f", value == 0 ? 0.0 : value);
    else if (!isnan(value))
        text_printf(text, "%.6g", value);
}

void measures_format(struct text *text, const struct trial_result *result)
{
    for (unsigned i = 0; i < result->measure_count; i++) {
        text_printf(text, "%s%s=", i ? ";" : "", result->measures[i].name);
        measure_value(text, result->measures[i].value);
    }
}

/* ---- reading back ------------------------------------------------------------------------------
 */

static bool parse_count(const char *field, uint64_t *value, int base)
{
    char *end;
    *value = 0;
    if (*field == '\0')
        return true;
    *value = strtoull(field, &end, base);
    return *end == '\0' && *field != '-';
}

static bool parse_rate(const char *field, double *value)
{
    char *end;
    *value = NAN;
    if (*field == '\0')
        return true;
    *value = strtod(field, &end);
    return *end == '\0';
}

bool trial_row_parse(char *fields[TRIAL_COLUMNS], const struct plan *plan, const struct cell **cell,
                     uint64_t *trial, struct trial_result *result)
{
    *result = (struct trial_result){.done = true};
    *cell = plan_find(plan, fields[COLUMN_CELL_ID]);
    return *cell && strcmp(fields[0], plan->experiment->name) == 0 &&
           parse_count(fields[COLUMN_TRIAL], trial, 10) && *trial < (*cell)->trials &&
           parse_count(fields[COLUMN_SEED], &result->seed, 10) &&
           result->seed == cell_trial_seed(plan->experiment, *cell, *trial) &&
           parse_count(fields[COLUMN_N_DISTINCT], &result->n_distinct, 10) &&
           parse_count(fields[COLUMN_QUERIES], &result->queries, 10) &&
           parse_count(fields[COLUMN_FALSE_POSITIVES], &result->false_positives, 10) &&
           parse_count(fields[COLUMN_FALSE_NEGATIVES], &result->false_negatives, 10) &&
           parse_count(fields[COLUMN_BITS_SET], &result->bits_set, 10) &&
           parse_rate(fields[COLUMN_FPR_BITS], &result->fpr_bits) &&
           parse_rate(fields[COLUMN_FPR_SCHEME], &result->fpr_scheme) &&
           parse_rate(fields[COLUMN_WILSON_LO], &result->wilson_lo) &&
           parse_rate(fields[COLUMN_WILSON_HI], &result->wilson_hi) &&
           parse_rate(fields[COLUMN_CP_LO], &result->cp_lo) &&
           parse_rate(fields[COLUMN_CP_HI], &result->cp_hi) &&
           parse_count(fields[COLUMN_MEMORY_BYTES], &result->memory_bytes, 10) &&
           parse_count(fields[COLUMN_KEYS_DIGEST], &result->keys_digest, 16) &&
           parse_count(fields[COLUMN_BITS_DIGEST], &result->bits_digest, 16);
}

bool measures_parse(char *field, struct trial_result *result)
{
    char *saved = NULL;
    for (char *item = strtok_r(field, ";", &saved); item; item = strtok_r(NULL, ";", &saved)) {
        char *equals = strchr(item, '=');
        double value;
        if (!equals)
            return false;
        *equals = '\0';
        if (!parse_rate(equals + 1, &value) || trial_measure_add(result, item, value, NULL) != OK)
            return false;
    }
    return true;
}
