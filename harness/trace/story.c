/* SPDX-License-Identifier: MIT */
#include "harness/trace/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plan/theory.h"

static enum status story_insert(struct story *story, const struct teller *teller, struct error *err)
{
    struct trace_key key;
    enum status status = OK;
    for (uint64_t i = 0; !status && i < story->trace->words.count; i++) {
        status = trace_insert(story->trace, &key, i, err);
        story->step++;
        if (!status)
            teller->inserted(story, &key);
    }
    return status;
}

static enum status story_figures(struct story *story, const struct teller *teller,
                                 const struct story_plan *plan, struct error *err)
{
    struct cell_theory theory;
    const struct filter *filter = &story->trace->bits.filter;
    const struct layout *layout = filter->layout;
    uint64_t n = story->trace->words.count;
    theory_of_layout(&theory, filter->ops, layout, n);
    struct trace_figures figures = {
        .bits_set = filter->ops->count_bits(filter),
        .bits_per_word = (double)layout->m / (double)n,
        .optimal_k = (double)layout->m / (double)n * M_LN2,
        .standard = theory.standard,
        .bits = filter->ops->fpr_bits ? filter->ops->fpr_bits(filter) : NAN,
        .scheme =
            filter->ops->fpr_scheme ? filter->ops->fpr_scheme(filter) : (struct estimate){NAN, NAN},
        .model = theory.model,
    };
    enum status status =
        plan->measured ? trace_measure(story->trace, &figures.rate, story->first, story->last, err)
                       : OK;
    if (!status)
        teller->figures(story, &figures);
    return status;
}

static enum status story_ask(struct story *story, const struct teller *teller,
                             const struct story_plan *plan, struct error *err)
{
    struct trace_key key;
    enum status status = OK;
    for (size_t i = 0; !status && i < plan->query_count; i++) {
        status = trace_look(story->trace, &key, plan->queries[i], strlen(plan->queries[i]), err);
        story->step++;
        if (!status)
            teller->asked(story, &key);
    }
    return status;
}

/* Each word alone: out, look, in again. */
static enum status story_try(struct story *story, const struct teller *teller, bool counters,
                             uint64_t *lost, struct error *err)
{
    struct trace *trace = story->trace;
    uint64_t harmful = 0;
    enum status status = OK;
    for (uint64_t i = 0; !status && i < trace->words.count; i++) {
        struct trace_removal removal = {
            .word = i, .counters = counters, .lost = lost, .others = trace->words.count - 1};
        status = trace_losses(trace, counters, i, lost, &removal.count, err);
        harmful += removal.count > 0;
        if (!status)
            teller->removal(story, &removal, NULL);
    }
    if (!status)
        teller->harm(story, counters, harmful);
    return status;
}

/* Takes the words out for good, one after the other. */
static enum status story_remove(struct story *story, const struct teller *teller,
                                const struct story_plan *plan, bool counters, uint64_t *lost,
                                bool *gone, struct error *err)
{
    struct trace *trace = story->trace;
    struct trace_key key;
    enum status status = OK;
    memset(gone, 0, trace->words.count);
    for (size_t i = 0; !status && i < plan->removal_count; i++) {
        size_t length;
        struct trace_removal removal = {.word = plan->removals[i],
                                        .counters = counters,
                                        .taken_out = true,
                                        .lost = lost,
                                        .others = trace->words.count - i - 1};
        const unsigned char *bytes = trace_word(trace, removal.word, &length);
        status = trace_look(trace, &key, bytes, length, err);
        if (!status)
            status = trace_take_out(trace, counters, removal.word, err);
        gone[removal.word] = true;
        for (uint64_t w = 0; !status && w < trace->words.count; w++)
            if (!gone[w] && !trace_has(trace, counters, w))
                lost[removal.count++] = w;
        story->step++;
        if (!status)
            teller->removal(story, &removal, &key);
    }
    return status;
}

static enum status story_removals(struct story *story, const struct teller *teller,
                                  const struct story_plan *plan, uint64_t *lost, bool *gone,
                                  struct error *err)
{
    enum status status = OK;
    bool affordable = trace_losses_affordable(story->trace);
    for (unsigned counters = 0; !status && counters <= story->trace->spec.twin; counters++) {
        if (affordable)
            status = story_try(story, teller, counters, lost, err);
        else
            teller->harm(story, counters, UINT64_MAX);
        if (!status)
            status = story_remove(story, teller, plan, counters, lost, gone, err);
    }
    return status;
}

static unsigned story_width(const struct trace *trace, const struct story_plan *plan)
{
    unsigned widest = 4;
    size_t length;
    for (uint64_t i = 0; i < trace->words.count; i++) {
        const unsigned char *bytes = trace_word(trace, i, &length);
        unsigned width = show_width(bytes, length);
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < plan->query_count; i++) {
        unsigned width =
            show_width((const unsigned char *)plan->queries[i], strlen(plan->queries[i]));
        widest = width > widest ? width : widest;
    }
    return widest < 24 ? widest : 24;
}

enum status story_tell(struct story *story, const struct teller *teller,
                       const struct story_plan *plan, struct error *err)
{
    uint64_t words = story->trace->words.count;
    uint64_t *lost = malloc((words + 1) * sizeof *lost);
    bool *gone = malloc(words + 1);
    story->step = 0;
    story->word_width = story_width(story->trace, plan);
    enum status status = lost && gone ? OK : fail(err, E_RUN, "no memory for the losses");
    if (!status) {
        teller->open(story);
        status = story_insert(story, teller, err);
    }
    if (!status)
        status = story_figures(story, teller, plan, err);
    if (!status)
        status = story_ask(story, teller, plan, err);
    if (!status)
        status = story_removals(story, teller, plan, lost, gone, err);
    free(lost);
    free(gone);
    return status;
}
