/* SPDX-License-Identifier: MIT
 *
 * values.c: integers, reals and ranges from text, and the sentences that refuse them.
 */
#include "harness/experiment/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/number.h"

const char *value_show(char out[VALUE_SHOW_SIZE], const char *text)
{
    size_t used = 0;
    for (int characters = 0; *text && characters < 40; characters++) {
        bool control = (unsigned char)*text < 0x20 || *text == 0x7f;
        out[used++] = control ? '?' : *text;
        text++;
        for (int i = 0; i < 3 && ((unsigned char)*text & 0xc0) == 0x80; i++)
            out[used++] = *text++;
    }
    strcpy(out + used, *text ? "..." : "");
    return out;
}

static const char *value_show_span(char out[VALUE_SHOW_SIZE], struct span s)
{
    char text[VALUE_SHOW_SIZE] = "";
    s = span_trim(s);
    size_t length = (size_t)(s.end - s.at);
    memcpy(text, s.at, length < sizeof text ? length : sizeof text - 1);
    return value_show(out, text);
}

/* One whole number in [min, max], which may carry a unit of size; *n keeps how it was written. */
static enum status value_whole(uint64_t *value, struct number *n, struct span s, const char *what,
                               uint64_t min, uint64_t max, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    value_show_span(shown, s);
    if (!*shown)
        return fail(err, E_INPUT, "%s is empty; it must be a whole number", what);
    if (!number_scan_all(n, s, true))
        return fail(err, E_INPUT,
                    "%s is '%s'; it must be a whole number such as 12, 1e3, 2^16 or 4KiB", what,
                    shown);
    uint64_t v = 0;
    enum whole whole = number_whole(&v, n);
    if (whole == WHOLE_FRACTION)
        return fail(err, E_INPUT, "%s is %s; it must be a whole number", what, shown);
    if (whole == WHOLE_HUGE || v < min || v > max || (n->negative && v))
        return fail(err, E_INPUT, "%s is %s; it must be between %" PRIu64 " and %" PRIu64, what,
                    shown, min, max);
    *value = v;
    return OK;
}

static enum status value_no_range(const char *text, const char *what, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    if (!strstr(text, ".."))
        return OK;
    return fail(err, E_INPUT, "%s is '%s'; it must be one number, not a range", what,
                value_show(shown, text));
}

enum status value_integer(uint64_t *value, const char *text, const char *what, uint64_t min,
                          uint64_t max, struct error *err)
{
    struct number n;
    enum status status = value_no_range(text, what, err);
    return status ? status : value_whole(value, &n, span_of(text), what, min, max, err);
}

enum status value_bytes(uint64_t *value, const char *text, const char *what, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    struct number n;
    uint64_t v = 0;
    value_show(shown, text);
    if (!number_scan_all(&n, span_of(text), true))
        return fail(err, E_INPUT, "%s is '%s'; it must be a size such as 4096, 512MiB or 2GiB",
                    what, shown);
    enum whole whole = number_whole(&v, &n);
    if (whole == WHOLE_FRACTION)
        return fail(err, E_INPUT, "%s is %s; it must be a whole number of bytes", what, shown);
    if (whole == WHOLE_HUGE || (n.negative && v))
        return fail(err, E_INPUT, "%s is %s; it must be between 0 and %" PRIu64 " bytes", what,
                    shown, UINT64_MAX);
    *value = v;
    return OK;
}

/* decimal, "a/b" or "p%": false when it is none of them; a division by 0 gives NaN. */
static bool value_real_scan(double *value, struct span s)
{
    struct number n, divisor;
    s = span_trim(s);
    if (!number_scan(&n, &s))
        return false;
    s = span_trim(s);
    *value = number_double(&n, 0);
    if (span_take(&s, '%'))
        return *value = number_double(&n, -2), s.at == s.end;
    if (!span_take(&s, '/'))
        return s.at == s.end;
    if (!number_scan_all(&divisor, s, false))
        return false;
    double by = number_double(&divisor, 0);
    *value = by == 0 ? NAN : *value / by;
    return true;
}

enum status value_real(double *value, const char *text, const char *what, double min, double max,
                       struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    double v;
    enum status status = value_no_range(text, what, err);
    if (status)
        return status;
    value_show_span(shown, span_of(text));
    if (!*shown)
        return fail(err, E_INPUT, "%s is empty; it must be a number", what);
    if (!value_real_scan(&v, span_of(text)))
        return fail(err, E_INPUT, "%s is '%s'; it must be a number such as 0.01, 1e-3, 1/16 or 2%%",
                    what, shown);
    if (!isfinite(v) || v < min || v > max)
        return fail(err, E_INPUT, "%s is %s; it must be between %g and %g", what, shown, min, max);
    *value = v;
    return OK;
}

/* ---- ranges -------------------------------------------------------------------------------- */

struct range_text {
    struct span from, to, step; /* step.at is NULL when there is none */
};

static bool range_has_gap(const struct range_text *range)
{
    struct span from = span_trim(range->from), to = span_trim(range->to);
    return from.at == from.end || to.at == to.end;
}

static enum status range_form(const char *text, const char *what, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    return fail(err, E_INPUT, "%s is '%s'; a range is written a..b or a..b by s", what,
                value_show(shown, text));
}

/* "a..b" or "a..b by s"; false: text is no range. */
static bool range_split(struct range_text *range, const char *text)
{
    const char *dots = strstr(text, "..");
    if (!dots)
        return false;
    const char *by = strstr(dots, " by ");
    const char *end = text + strlen(text);
    range->from = (struct span){text, dots};
    range->to = (struct span){dots + 2, by ? by : end};
    range->step = by ? (struct span){by + 4, end} : (struct span){0};
    return true;
}

static enum status range_backwards(const char *text, const char *what, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    return fail(err, E_INPUT, "%s runs backwards in '%s'; the smaller end comes first", what,
                value_show(shown, text));
}

/* *grown: the values with room for `more` of 8 bytes behind the first `count`. */
static enum status range_grow(void **grown, void *values, size_t count, uint64_t more,
                              const char *what, size_t most, struct error *err)
{
    if (count > most || more > most - count)
        return fail(err, E_INPUT, "%s comes to %" PRIu64 " values; at most %zu are allowed", what,
                    more > UINT64_MAX - count ? UINT64_MAX : count + more, most);
    *grown = realloc(values, (count + (size_t)more) * sizeof(uint64_t));
    if (!*grown)
        return fail(err, E_RUN, "no memory for %zu values of %s", count + (size_t)more, what);
    return OK;
}

/* from * base^i while it is not above `to`. */
static enum status range_powers(uint64_t **values, size_t *count, uint64_t from, uint64_t to,
                                uint64_t base, const char *what, size_t most, struct error *err)
{
    uint64_t more = 1;
    for (uint64_t v = from; v <= to / base; v *= base)
        more++;
    void *grown;
    enum status status = range_grow(&grown, *values, *count, more, what, most, err);
    if (status)
        return status;
    *values = grown;
    for (uint64_t i = 0, v = from; i < more; i++, v *= base)
        (*values)[(*count)++] = v;
    return OK;
}

static enum status range_steps(uint64_t **values, size_t *count, uint64_t from, uint64_t to,
                               uint64_t step, const char *what, size_t most, struct error *err)
{
    uint64_t last = (to - from) / step;
    void *grown;
    enum status status =
        range_grow(&grown, *values, *count, last + (last < UINT64_MAX), what, most, err);
    if (status)
        return status;
    *values = grown;
    for (uint64_t i = 0; i <= last; i++)
        (*values)[(*count)++] = from + i * step;
    return OK;
}

enum status value_range(uint64_t **values, size_t *count, const char *text, const char *what,
                        uint64_t min, uint64_t max, size_t most, struct error *err)
{
    struct range_text range;
    struct number first, last, stride;
    uint64_t from, to, step = 1;
    char name[64];
    if (!range_split(&range, text))
        range.from = range.to = span_of(text), range.step.at = NULL;
    else if (range_has_gap(&range))
        return range_form(text, what, err);
    enum status status = value_whole(&from, &first, range.from, what, min, max, err);
    if (!status)
        status = value_whole(&to, &last, range.to, what, min, max, err);
    if (!status && range.step.at) {
        snprintf(name, sizeof name, "the step of %s", what);
        status = value_whole(&step, &stride, range.step, name, 1, max, err);
    }
    if (status)
        return status;
    if (from > to)
        return range_backwards(text, what, err);
    if (!range.step.at && first.base > 1 && first.base == last.base)
        return range_powers(values, count, from, to, first.base, what, most, err);
    return range_steps(values, count, from, to, step, what, most, err);
}

/* The number times 10^places as an integer of at most 53 bits; false: it is none. */
static bool range_scaled(int64_t *scaled, const struct number *n, int places)
{
    uint64_t v;
    struct number shifted = *n;
    shifted.scale += places;
    if (number_whole(&v, &shifted) != WHOLE || v > UINT64_C(1) << 53)
        return false;
    *scaled = n->negative ? -(int64_t)v : (int64_t)v;
    return true;
}

enum { RANGE_PLACES_MAX = 15 }; /* 10^15 is exact in a double */

/* Both ends and the step as integers over one power of ten. */
static enum status range_reals(int64_t end[3], double *unit, const struct range_text *range,
                               const char *text, const char *what, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    struct number n[3] = {[2] = {.digits = 1, .unit = 1}};
    int places = 0;
    if (!number_scan_all(&n[0], range->from, false) || !number_scan_all(&n[1], range->to, false) ||
        (range->step.at && !number_scan_all(&n[2], range->step, false)))
        return range_form(text, what, err);
    for (int i = 0; i < 3; i++)
        places = -n[i].scale > places ? -n[i].scale : places;
    bool exact = places <= RANGE_PLACES_MAX;
    *unit = 1;
    for (int i = 0; exact && i < places; i++)
        *unit *= 10;
    for (int i = 0; exact && i < 3; i++)
        exact = range_scaled(&end[i], &n[i], places);
    return exact ? OK
                 : fail(err, E_INPUT, "%s is '%s'; a range has at most %d digits", what,
                        value_show(shown, text), RANGE_PLACES_MAX);
}

enum status value_real_range(double **values, size_t *count, const char *text, const char *what,
                             double min, double max, size_t most, struct error *err)
{
    char shown[VALUE_SHOW_SIZE];
    struct range_text range;
    int64_t end[3] = {0};
    double unit = 1, single;
    void *grown;
    if (!range_split(&range, text)) {
        enum status status = value_real(&single, text, what, min, max, err);
        if (!status)
            status = range_grow(&grown, *values, *count, 1, what, most, err);
        if (status)
            return status;
        *values = grown;
        (*values)[(*count)++] = single;
        return OK;
    }
    enum status status = range_reals(end, &unit, &range, text, what, err);
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        if ((double)end[i] / unit < min || (double)end[i] / unit > max)
            return fail(err, E_INPUT, "%s is %s; it must be between %g and %g", what,
                        value_show_span(shown, i ? range.to : range.from), min, max);
    if (end[2] <= 0)
        return fail(err, E_INPUT, "the step of %s is %s; it must be above 0", what,
                    value_show_span(shown, range.step));
    if (end[0] > end[1])
        return range_backwards(text, what, err);
    uint64_t last = (uint64_t)(end[1] - end[0]) / (uint64_t)end[2];
    status = range_grow(&grown, *values, *count, last + 1, what, most, err);
    if (status)
        return status;
    *values = grown;
    for (uint64_t i = 0; i <= last; i++)
        (*values)[(*count)++] = (double)(end[0] + (int64_t)i * end[2]) / unit;
    return OK;
}
