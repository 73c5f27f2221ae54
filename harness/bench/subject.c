/* SPDX-License-Identifier: MIT */
#include "harness/bench/subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/plan/theory.h"

/* Hits of strangers may be so many standard deviations from theory, and so many more: over all
 * Poisson means less than 1e-9 of sound filters are blamed. */
#define SUBJECT_SIGMAS 6.0
#define SUBJECT_SLACK 12.0

void subject_blame(struct subject *subject, const char *format, ...)
{
    va_list arguments;
    if (subject->wrong)
        return;
    subject->wrong = true;
    va_start(arguments, format);
    vsnprintf(subject->why, sizeof subject->why, format, arguments);
    va_end(arguments);
}

uint64_t subject_hits(const struct subject *subject, enum pool_kind kind, size_t first,
                      size_t count)
{
    uint64_t hits = 0;
    for (size_t i = first; i < first + count; i++)
        hits += subject->present[kind][i];
    return hits;
}

static enum status subject_build(struct subject *subject, const struct plan *plan,
                                 struct error *err)
{
    const struct cell *cell = subject->cell;
    const struct layout *layout = &cell->layout;
    struct key_stream stream;
    struct digest_source source = {0};
    uint64_t seed = cell_trial_seed(plan->experiment, cell, 0);
    struct digest_family family = cell_family(plan->experiment, cell, seed);
    key_stream_init(&stream, cell->source->source, seed);
    enum status status = digest_source_init(&source, &stream, KEY_MEMBER, &family, cell->n,
                                            layout->columns, layout->batch, 0, err);
    for (uint64_t first = 0; !status && first < cell->n; first += layout->batch) {
        uint64_t left = cell->n - first;
        struct digests *batch = digest_source_batch(
            &source, first, left < layout->batch ? (size_t)left : layout->batch);
        status = cell->ops->insert(&subject->filter, batch, subject->space.scratch, err);
    }
    digest_source_release(&source);
    return status;
}

static void subject_ask(struct subject *subject, enum pool_kind kind)
{
    const struct filter *filter = &subject->filter;
    struct pool_list *list = &subject->pool->list[kind];
    size_t count = list->keys.count, batch = filter->layout->batch;
    for (size_t first = 0; first < count; first += batch) {
        struct digests *digests =
            digest_source_batch(&list->given, first, count - first < batch ? count - first : batch);
        filter->ops->query(filter, subject->present[kind] + first, digests, subject->space.scratch);
    }
}

static void subject_judge_members(struct subject *subject, enum pool_kind kind)
{
    const struct pool_list *list = &subject->pool->list[kind];
    uint64_t lost = 0, members = 0;
    for (size_t i = 0; i < list->keys.count; i++) {
        members += list->member[i];
        lost += list->member[i] && !subject->present[kind][i];
    }
    if (lost)
        subject_blame(subject, "%" PRIu64 " of %" PRIu64 " members are not found", lost, members);
}

static void subject_judge_strangers(struct subject *subject, const struct model *model)
{
    size_t count = subject->pool->count;
    double queries = (double)count, p = model->fpr;
    uint64_t hits = subject_hits(subject, POOL_STRANGERS, 0, count);
    if (isnan(p))
        return;
    double between = isnan(model->variance) ? 0 : model->variance;
    double sigma =
        sqrt(queries * p * (1 - p) + queries * queries * (between + model->se * model->se));
    if (fabs((double)hits - queries * p) > SUBJECT_SIGMAS * sigma + SUBJECT_SLACK)
        subject_blame(subject, "%" PRIu64 " of %zu strangers are found where theory says %.6g",
                      hits, count, queries * p);
}

enum status subject_open(struct subject *subject, const struct plan *plan, const struct cell *cell,
                         struct pool *pool, struct error *err)
{
    struct cell_theory theory;
    *subject = (struct subject){.cell = cell, .pool = pool};
    for (int kind = 0; kind < POOL_KINDS; kind++)
        if (!(subject->present[kind] = calloc(pool->count, 1)))
            return fail(err, E_RUN, "no memory for %zu answers", pool->count);
    enum status status =
        workspace_filter(&subject->space, &subject->filter, cell->ops, &cell->layout, err);
    if (!status)
        status = subject_build(subject, plan, err);
    if (status)
        return status;
    theory_of_layout(&theory, cell->ops, &cell->layout, cell->n);
    subject->fpr_model = theory.model.fpr;
    for (int kind = 0; kind < POOL_KINDS; kind++) {
        subject_ask(subject, (enum pool_kind)kind);
        subject_judge_members(subject, (enum pool_kind)kind);
    }
    subject_judge_strangers(subject, &theory.model);
    return OK;
}

void subject_release(struct subject *subject)
{
    for (int kind = 0; kind < POOL_KINDS; kind++)
        free(subject->present[kind]);
    workspace_release(&subject->space);
    *subject = (struct subject){0};
}
