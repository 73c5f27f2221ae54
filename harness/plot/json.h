/* SPDX-License-Identifier: MIT
 *
 * json.h: values of the members of one JSON object (RFC 8259), as provenance.json is.
 */
#ifndef BLOOMLAB_PLOT_JSON_H
#define BLOOMLAB_PLOT_JSON_H

#include <stdbool.h>

#include "harness/table/text.h"

/* Appends the value of the object's member `key`: a string decoded, anything else as it is written.
 * False: the text is no object, or it has no such member. */
bool json_member(struct text *value, const char *json, const char *key);

/* Calls back for every member, in order, with key and value as above; stops at what is not JSON. */
void json_each(const char *json, void (*take)(void *context, const char *key, const char *value),
               void *context);

#endif
