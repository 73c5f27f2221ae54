/* SPDX-License-Identifier: MIT
 *
 * trace_words.h: the words of `bloomlab trace`: arguments, and lines of standard input for a `-`.
 */
#ifndef BLOOMLAB_COMMAND_TRACE_WORDS_H
#define BLOOMLAB_COMMAND_TRACE_WORDS_H

#include "harness/keys/contents.h"

/* Arguments, in their order; item is freed by the caller. */
struct strings {
    const char **item;
    size_t count;
};

enum status strings_add(struct strings *strings, const char *item, struct error *err);

/* The words in their order, each once; a line on standard error says which were dropped because
 * they came before. E_INPUT: none given, a second `-`, lines that cannot be read. */
enum status words_take(struct contents *words, const struct strings *given, struct error *err);

/* Numbers of the words to be removed, from malloc, also on failure. E_INPUT: one that was not
 * inserted, or is given twice. */
enum status removals_take(uint64_t **removals, const struct strings *given,
                          const struct contents *words, struct error *err);

#endif
