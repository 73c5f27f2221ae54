/* SPDX-License-Identifier: MIT
 *
 * csv_reader.c: the reader of the oracles is itself tested: what it misread, nobody would notice.
 */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/near.h"

static struct csv *csv_of(const char *text)
{
    char path[32];
    int file = memfd_create("csv", 0);
    cr_assert_geq(file, 0);
    cr_assert_geq(dprintf(file, "%s", text), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct csv *table = csv_read(path);
    close(file);
    return table;
}

Test(csv, comments_quotes_fractions_and_missing_values)
{
    struct csv *t = csv_of("# a, comment\n\na,b,name\r\n# another\n1,1/16,\"x, \"\"y\"\"\"\r\n"
                           "18446744073709551615,,plain\n-2.5e-3,inf,\"\"");
    cr_assert_eq(csv_rows(t), 3);
    cr_assert_eq(csv_integer(t, 0, "a"), 1);
    cr_assert_eq(csv_number(t, 0, "b"), .0625);
    cr_assert_str_eq(csv_text(t, 0, "name"), "x, \"y\"");
    cr_assert_eq(csv_integer(t, 1, "a"), UINT64_MAX);
    cr_assert(csv_empty(t, 1, "b"));
    cr_assert(isnan(csv_number(t, 1, "b")));
    cr_assert(csv_is(t, 1, "name", "plain"));
    cr_assert_eq(csv_number(t, 2, "a"), -2.5e-3);
    cr_assert_eq(csv_number(t, 2, "b"), INFINITY);
    cr_assert(csv_empty(t, 2, "name"));
    csv_free(t);
}

Test(csv, error_is_relative_and_never_hides_a_nan)
{
    cr_assert_float_eq(csv_error(1.5, 1), .5, 0);
    cr_assert_float_eq(csv_error(-3, -2), .5, 0);
    cr_assert_eq(csv_error(0, 0), 0);
    cr_assert_eq(csv_error(INFINITY, INFINITY), 0);
    cr_assert_not(csv_error(NAN, 1) <= 1);
    cr_assert_not(csv_error(1, NAN) <= 1);
    cr_assert_not(csv_error(1, INFINITY) <= 1);
}
