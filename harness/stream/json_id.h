/* SPDX-License-Identifier: MIT
 *
 * json_id.h: the id of a JSON message.
 */
#ifndef BLOOMLAB_STREAM_JSON_ID_H
#define BLOOMLAB_STREAM_JSON_ID_H

#include <stddef.h>

#include "filters/theory/error.h"

struct json_id {
    unsigned char *bytes; /* of the last one asked for; from malloc */
    size_t size, room;
};

/* Reads one object and copies the id at `field`, "a" or "a.b.c" (dots always lead into objects).
 * Strings are their bytes in UTF-8; numbers are written as text after a byte 0xff, which no UTF-8
 * has. E_INPUT: no JSON, no object, no such field, neither string nor number; the sentence has no
 * place in front. E_RUN: no memory. */
enum status json_id_read(struct json_id *id, const char *field, const unsigned char *text,
                         size_t size, struct error *err);
void json_id_release(struct json_id *id);

#endif
