/* SPDX-License-Identifier: MIT
 *
 * page_removal.c: what becomes of the eight words in 64 bits when one of them is removed by
 * clearing its bits.
 */
#include <stdio.h>
#include <string.h>

#include "harness/claims/page.h"
#include "harness/claims/words.h"

enum { REMOVAL_M = 64, REMOVAL_K = 3 };

static uint64_t removal_word(const struct trace *trace, const char *word)
{
    return contents_find(&trace->words, word, strlen(word));
}

/* The filter with all eight words in. To be released in any case. */
static enum status removal_open(struct trace *trace, struct error *err)
{
    struct contents words;
    struct trace_key key;
    struct trace_spec spec = {
        .ops = filter_find("double_hashing"),
        .params = {.m = REMOVAL_M, .n = PAGE_SMALL, .k = REMOVAL_K},
        .family = page_family(),
    };
    *trace = (struct trace){.k = 0};
    filter_params_defaults(&spec.params, spec.ops);
    enum status status = claim_words(&words, page_small_words, PAGE_SMALL, err);
    if (!status)
        status = trace_open(trace, &spec, &words, err);
    for (uint64_t w = 0; !status && w < PAGE_SMALL; w++)
        status = trace_insert(trace, &key, w, err);
    return status;
}

/* The word stands at the front of the claim's name. */
enum status page_positions(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err)
{
    struct trace trace;
    struct trace_key key;
    int length = (int)strcspn(claim->name, " ");
    (void)lab;
    enum status status = removal_open(&trace, err);
    if (!status)
        status = trace_look(&trace, &key, claim->name, (size_t)length, err);
    for (int i = 0; !status && i < REMOVAL_K; i++) {
        finding_computed(finding, "", claim->value[i], 0, (double)key.position[i]);
        finding_say(finding, "%s%llu", i ? ", " : "", (unsigned long long)key.position[i]);
    }
    finding_how(finding, "bloomlab trace --m 64 --k 3 --pair fnv1a_32,djb2_mix %.*s", length,
                claim->name);
    trace_release(&trace);
    return status;
}

static const char removal_how[] =
    "bloomlab trace --m 64 --k 3 --pair fnv1a_32,djb2_mix --remove owl cat dog owl fox bee cow elk "
    "yak";

enum status page_owl_takes(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err)
{
    struct trace trace;
    uint64_t lost[PAGE_SMALL], count = 0;
    bool fox = false;
    (void)lab;
    enum status status = removal_open(&trace, err);
    if (!status)
        status = trace_losses(&trace, false, removal_word(&trace, "owl"), lost, &count, err);
    finding_say(finding, "%llu lost: ", (unsigned long long)count);
    for (uint64_t i = 0; !status && i < count; i++) {
        fox = fox || lost[i] == removal_word(&trace, "fox");
        finding_say(finding, "%s%s", i ? ", " : "", page_small_words[lost[i]]);
    }
    finding_computed(finding, "word lost", claim->value[0], 0, (double)count);
    finding_holds(finding, fox, CLAIM_REFUTED);
    finding_how(finding, "%s", removal_how);
    trace_release(&trace);
    return status;
}

enum status page_harmful(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err)
{
    struct trace trace;
    uint64_t lost[PAGE_SMALL], count;
    unsigned harmful = 0;
    (void)lab;
    enum status status = removal_open(&trace, err);
    for (uint64_t w = 0; !status && w < PAGE_SMALL; w++) {
        status = trace_losses(&trace, false, w, lost, &count, err);
        harmful += !status && count > 0;
    }
    finding_computed(finding, "of 8 removals lose another word", claim->value[0], 0, harmful);
    finding_how(finding, "%s", removal_how);
    trace_release(&trace);
    return status;
}
