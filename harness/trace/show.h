/* SPDX-License-Identifier: MIT
 *
 * show.h: words and arrays of bits as text, for a terminal or for a file.
 */
#ifndef BLOOMLAB_TRACE_SHOW_H
#define BLOOMLAB_TRACE_SHOW_H

#include "harness/table/text.h"
#include "harness/trace/trace.h"

struct show_style {
    bool colour;      /* escape sequences may be written */
    unsigned columns; /* of a line; at least 20 */
};

/* A larger array is shown only in the lines that a key touches. */
#define SHOW_WHOLE_MAX UINT64_C(1024)

/* Characters of text in UTF-8: bytes that continue one are not counted. */
unsigned show_characters(const char *text, size_t bytes);

/* Characters that a word takes; the word itself, then blanks up to `width` characters. What no
 * terminal should get is shown as \xNN, and the word then in quotes. */
unsigned show_width(const unsigned char *bytes, size_t length);
void show_word(struct text *text, const unsigned char *bytes, size_t length, unsigned width);

/* The array, with the positions of one key marked: '#' those it set, '=' those it found set, or
 * when it was taken out '-' those that are 0 by now. key NULL: none marked. */
void show_array(struct text *text, const struct show_style *style, const struct trace *trace,
                const struct trace_key *key, bool taken_out);

/* What the answer for a key rests on: "bit 15 is 0: certainly not", "all 3 bits are 1: probably, in
 * fact a false positive". */
void show_reason(struct text *text, const struct trace *trace, const struct trace_key *key);

/* The k positions, with what stands there: "37=1 58=1 15=0". */
void show_positions(struct text *text, const struct trace *trace, const struct trace_key *key,
                    bool values);

/* "bit" or "counter", of the filter itself. */
const char *show_place(const struct trace *trace);

/* "3.05 %", of very small rates 3 digits. */
void show_percent(struct text *text, double rate);

#endif
