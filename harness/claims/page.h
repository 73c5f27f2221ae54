/* SPDX-License-Identifier: MIT
 *
 * page.h: the page of source 001: its sixteen words, its two hashes, its queries.
 *
 * The page names owl and fox and prints counts for three filters of 16 words and one of 8. The
 * words here give every one of these counts; three choices of 8 among them do.
 */
#ifndef BLOOMLAB_CLAIMS_PAGE_H
#define BLOOMLAB_CLAIMS_PAGE_H

#include "harness/claims/claim.h"

enum { PAGE_WORDS = 16, PAGE_SMALL = 8, PAGE_K_MAX = 16, PAGE_SETS = 2000, PAGE_SETS_QUICK = 300 };

extern const char *const page_words[PAGE_WORDS];
extern const char *const page_small_words[PAGE_SMALL]; /* owl before fox, as on the page */

/* FNV-1a of 32 bits, and djb2 finished and made odd by the filter; seeds 0. */
struct digest_family page_family(void);

/* Both filters under every k the page has: 128 bits with 16 words, 64 bits with 8. */
enum status page_run(const struct claim_run **run, struct claim_lab *lab, struct error *err);

/* The one trial of the cell with m bits and k. */
const struct trial_result *page_trial(const struct claim_run *run, uint64_t m, unsigned k);

/* PAGE_SETS sets of n words of letters in such a filter of m bits, asked for 0 .. 9999. */
enum status page_sets_run(const struct claim_run **run, struct claim_lab *lab, uint64_t m,
                          uint64_t n, const char *k, struct error *err);

typedef enum status page_find(struct finding *finding, const struct claim *claim,
                              struct claim_lab *lab, struct error *err);

/* page_sets.c: claims on other sets of words. */
page_find page_best_k, page_other_sets, page_configurations, page_closer;
page_find page_44_bits, page_44_measured;

/* page_removal.c */
page_find page_positions, page_owl_takes, page_harmful;

#endif
