/* SPDX-License-Identifier: MIT
 *
 * trace_support.h: traces opened by a test.
 */
#ifndef BLOOMLAB_TESTS_TRACE_SUPPORT_H
#define BLOOMLAB_TESTS_TRACE_SUPPORT_H

#include "harness/trace/story.h"

/* hash "A,B": a pair, "NAME": seeded, "NAME/FAMILY"; seed 0; filter NULL: as the command has it. */
struct trace_spec trace_spec_of(const char *filter, uint64_t m, unsigned k, const char *hash);

/* Opens it over the words, separated by blanks ("" is one empty word), and inserts them all. */
void trace_of(struct trace *trace, const struct trace_spec *spec, const char *words);

/* Opens it; the status, with the sentence in err. Releases it again. */
enum status trace_tried(const struct trace_spec *spec, const char *words, struct error *err);

/* The numbers of the words that removing word i would lose, as bits; at most 64 words. */
uint64_t trace_lost(struct trace *trace, bool counters, uint64_t word);

extern const char trace_page_words[]; /* sixteen, of tests/data/page_words.csv */

#endif
