/* SPDX-License-Identifier: MIT
 *
 * words.h: words of a claim, for harness/trace.
 */
#ifndef BLOOMLAB_CLAIMS_WORDS_H
#define BLOOMLAB_CLAIMS_WORDS_H

#include "harness/trace/trace.h"

enum { CLAIM_WORDS_MAX = 64 };

/* A copy of at most CLAIM_WORDS_MAX words, in their order, each once. E_RUN: no memory. */
enum status claim_words(struct contents *words, const char *const *word, size_t count,
                        struct error *err);

#endif
