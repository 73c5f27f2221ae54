/* SPDX-License-Identifier: MIT
 *
 * word_forms.h: a word list enlarged by derived forms: 500,000 distinct words of a language, about
 * as many as a program met that was to hyphenate text (B. Bloom, CACM 13(7), 1970).
 *
 * Every word of at least three letters a-z gives its forms under one rule after the other: as it
 * is, then with endings (dancing, carried, boxes) and beginnings (unmade, overheat), spelled by the
 * usual rules: a silent e goes before a vowel, y after a consonant becomes i. All words take the
 * first rule before any takes the second, so that the common forms come first; the list ends at
 * WORD_FORMS. The same word list gives the same forms in the same order. Many of them no dictionary
 * has: what counts is that they are as alike as words of a language are.
 */
#ifndef BLOOMLAB_KEYS_WORD_FORMS_H
#define BLOOMLAB_KEYS_WORD_FORMS_H

#include "harness/keys/contents.h"

#define WORD_FORMS UINT64_C(500000)

/* E_INPUT: the words give fewer. On failure there is nothing to release. */
enum status word_forms_make(struct contents *forms, const struct contents *words,
                            struct error *err);

#endif
