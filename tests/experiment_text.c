/* SPDX-License-Identifier: MIT */
#include "tests/experiment_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum status experiment_text_read(struct experiment **out, const char *text, size_t bytes,
                                 const char *scale, struct error *err)
{
    FILE *stream = bytes ? fmemopen((void *)text, bytes, "r") : fopen("/dev/null", "r");
    cr_assert(stream);
    enum status status = experiment_read(out, stream, "x", scale, err);
    fclose(stream);
    return status;
}

char *experiment_text_load(const char *path, size_t *bytes)
{
    FILE *stream = fopen(path, "r");
    cr_assert(stream, "%s is not there", path);
    const size_t room = 1 << 16;
    char *text = malloc(room);
    *bytes = fread(text, 1, room - 1, stream);
    cr_assert(feof(stream));
    text[*bytes] = '\0';
    fclose(stream);
    return text;
}
