/* SPDX-License-Identifier: MIT
 *
 * near.h: NEAR(value, expected, bound): the relative error is at most bound (the value itself,
 * where 0 is expected), or the running test fails and says by how much.
 */
#ifndef BLOOMLAB_TESTS_NEAR_H
#define BLOOMLAB_TESTS_NEAR_H

#include <criterion/criterion.h>

#include "tests/csv.h"

#define NEAR(value, expected, bound)                                                               \
    do {                                                                                           \
        double near_value = (value), near_expected = (expected);                                   \
        double near_error = csv_error(near_value, near_expected);                                  \
        cr_assert(near_error <= (bound), "%s = %.17g, not %.17g: off by %.2g", #value, near_value, \
                  near_expected, near_error);                                                      \
    } while (0)

#endif
