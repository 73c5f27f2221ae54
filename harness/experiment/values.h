/* SPDX-License-Identifier: MIT
 *
 * values.h: numbers as researchers write them, in experiments and on the command line.
 *
 *   12   1e3   2^16   4KiB   1_000_000    whole numbers (1e3 and 2^16 must come out whole)
 *   a..b   a..b by s   2^a..2^b           ranges, both ends included; the last doubles
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
 * `most` values in all. E_INPUT leaves the list as it was. */
enum status value_range(uint64_t **values, size_t *count, const char *text, const char *what,
                        uint64_t min, uint64_t max, size_t most, struct error *err);

#endif
