/* SPDX-License-Identifier: MIT
 *
 * values.h: numbers as researchers write them, in experiments and on the command line.
 *
 *   12   1e3   2^16   4KiB   1_000_000   0xff   whole numbers; 1.5e3 comes out whole, 1e-3 not
 *   a..b   a..b by s   ranges, both ends included: a + i * s up to the largest that is not above b
 *   2^a..2^b           powers of one base, each the base times the last
 *
 * Whole numbers are read exactly, reals are the double nearest to what is written; neither depends
 * on the locale. Sentences start with `what` and have no place in front: experiments add theirs.
 */
#ifndef BLOOMLAB_VALUES_H
#define BLOOMLAB_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"

/* One whole number in [min, max]. `what` names it in the sentence. */
enum status value_integer(uint64_t *value, const char *text, const char *what, uint64_t min,
                          uint64_t max, struct error *err);

/* One finite real in [min, max]: decimal, scientific, a fraction "1/16", a percentage "2%". */
enum status value_real(double *value, const char *text, const char *what, double min, double max,
                       struct error *err);

/* A size in bytes: a number, with KiB, MiB, GiB, TiB, kB, MB, GB, TB or B. */
enum status value_bytes(uint64_t *value, const char *text, const char *what, struct error *err);

/* A number or a range, written out into a list that is grown with realloc: *values, *count. At most
 * `most` values in all. E_INPUT (E_RUN: no memory) leaves the list as it was. */
enum status value_range(uint64_t **values, size_t *count, const char *text, const char *what,
                        uint64_t min, uint64_t max, size_t most, struct error *err);

/* The same for reals; the step is 1 unless given. Values of a decimal range are the doubles nearest
 * to the decimals: the third of "0.1..0.5 by 0.1" is 0.3, not 0.1 + 2 * 0.1. */
enum status value_real_range(double **values, size_t *count, const char *text, const char *what,
                             double min, double max, size_t most, struct error *err);

/* Text as it may stand in a sentence: control characters become '?', what is over 40 characters is
 * cut (between characters of UTF-8) and ends in "...". Returns out, of VALUE_SHOW_SIZE bytes. */
enum { VALUE_SHOW_SIZE = 176 };
const char *value_show(char out[VALUE_SHOW_SIZE], const char *text);

#endif
