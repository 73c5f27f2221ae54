/* SPDX-License-Identifier: MIT */
#include "harness/claims/page.h"

#include <stdio.h>

const char *const page_words[PAGE_WORDS] = {
    "cat", "dog", "owl", "fox", "bee", "cow", "elk", "yak",
    "ant", "bat", "hen", "pig", "rat", "emu", "ram", "eel",
};
const char *const page_small_words[PAGE_SMALL] = {
    "cat", "dog", "owl", "fox", "bee", "cow", "elk", "yak",
};

struct digest_family page_family(void)
{
    return (struct digest_family){
        .family = FAMILY_PAIR,
        .hash = hash_find("fnv1a_32"),
        .second = hash_find("djb2_mix"),
        .digest_bits = 32,
        .seed_fixed = true,
    };
}

static void page_list(struct text *text, const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        text_printf(text, "%s%s", i ? ", " : "", words[i]);
}

static void page_grid(struct text *text, const char *const *words, unsigned count, unsigned m)
{
    text_printf(text, "  - filter: [double_hashing]\n"
                      "    hash: [{pair: [fnv1a_32, djb2_mix]}]\n"
                      "    keys: [{members: {list: [");
    page_list(text, words, count);
    text_printf(text,
                "]}, queries: {decimal: \"0..9999\", width: 0}}]\n"
                "    m: [%u]\n"
                "    k: [\"1..%d\"]\n",
                m, PAGE_K_MAX);
}

enum status page_run(const struct claim_run **run, struct claim_lab *lab, struct error *err)
{
    struct text text = {0};
    text_printf(&text, "name: claims-page\n"
                       "question: Do the counts of a page on Bloom filters come out?\n"
                       "trials: 1\nhash_seed: 0\nseed: 1\nplots: [fpr-vs-k]\ngrid:\n");
    page_grid(&text, page_words, PAGE_WORDS, 128);
    page_grid(&text, page_small_words, PAGE_SMALL, 64);
    enum status status = text.failed ? fail(err, E_RUN, "no memory for an experiment")
                                     : claim_lab_run(run, lab, text.data, err);
    text_release(&text);
    return status;
}

const struct trial_result *page_trial(const struct claim_run *run, uint64_t m, unsigned k)
{
    return claim_trials(run, claim_cell(run, NULL, m, k));
}

enum status page_sets_run(const struct claim_run **run, struct claim_lab *lab, uint64_t m,
                          uint64_t n, const char *k, struct error *err)
{
    struct text text = {0};
    text_printf(&text,
                "name: claims-sets-%llu-%llu\n"
                "question: What do other sets of words give in the filter of a page?\n"
                "grid:\n"
                "  filter: [double_hashing]\n"
                "  hash: [{pair: [fnv1a_32, djb2_mix]}]\n"
                "  keys: [{members: letters, queries: {decimal: \"0..9999\", width: 0}}]\n"
                "  m: [%llu]\n"
                "  n: [%llu]\n"
                "  k: [%s]\n"
                "trials: %u\nhash_seed: 0\nseed: 1\nplots: [fpr-vs-k]\n"
                "scales:\n  quick: {trials: %u}\n",
                (unsigned long long)m, (unsigned long long)n, (unsigned long long)m,
                (unsigned long long)n, k, PAGE_SETS, PAGE_SETS_QUICK);
    enum status status = text.failed ? fail(err, E_RUN, "no memory for an experiment")
                                     : claim_lab_run(run, lab, text.data, err);
    text_release(&text);
    return status;
}
