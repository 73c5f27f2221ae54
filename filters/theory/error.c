/* SPDX-License-Identifier: MIT */
#include "filters/theory/error.h"

#include <stdarg.h>
#include <stdio.h>

enum status fail(struct error *err, enum status status, const char *format, ...)
{
    if (err) {
        va_list arguments;
        va_start(arguments, format);
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, arguments);
        va_end(arguments);
    }
    return status;
}
