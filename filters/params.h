/* SPDX-License-Identifier: MIT
 *
 * params.h: parameters of a plug-in's own: what they are called, their bounds, their values as
 * text. Filters have some (filter.h), and so have workloads.
 *
 * A plug-in declares a table of specs that ends with a row whose name is NULL, or NULL for none;
 * its values stand in an array in the same order. `owner` is what sentences call the plug-in.
 */
#ifndef BLOOMLAB_PARAMS_H
#define BLOOMLAB_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"

enum { PARAMS_MAX = 8 }; /* of one plug-in */

enum param_type { PARAM_INTEGER, PARAM_REAL, PARAM_BOOLEAN, PARAM_CHOICE };

struct param_spec {
    const char *name;
    const char *summary;
    enum param_type type;
    double min, max;      /* bounds of integers and reals, both included */
    const char *fallback; /* the default, as a user would write it; "" = not set (real: NaN) */
    const char *const *choices; /* PARAM_CHOICE: names, ended by NULL; the value is the index */
};

/* integer: integers, booleans (0, 1) and the index of a choice. real: reals, and integers again. */
struct param_value {
    int64_t integer;
    double real;
};

void params_defaults(struct param_value *values, const struct param_spec *specs);

/* Reads one value from text, checks its type and bounds, stores it. E_INPUT: a sentence that names
 * the owner, the value and the bound. */
enum status params_read(struct param_value *value, const char *owner, const struct param_spec *spec,
                        const char *text, struct error *err);

/* The same for the parameter of that name among those of `specs`. */
enum status params_set(struct param_value *values, const char *owner,
                       const struct param_spec *specs, const char *name, const char *text,
                       struct error *err);

/* Writes "name=value;name=value", sorted by name, defaults written out; "" when there are none. */
void params_format(const struct param_value *values, const struct param_spec *specs, char *text,
                   size_t size);

/* Checks a table of specs: names, summaries, defaults within the bounds. E_CHECK. */
enum status params_check(const char *owner, const struct param_spec *specs, struct error *err);

/* Lower case, digits and _, a letter first. */
bool params_is_name(const char *name);

#endif
