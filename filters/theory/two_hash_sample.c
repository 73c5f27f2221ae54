/* SPDX-License-Identifier: MIT */
#include "filters/theory/two_hash_scheme.h"
#include <math.h>
struct estimate two_hash_scheme_sample(const struct two_hash *scheme, const unsigned char *array)
{
    (void)scheme;
    (void)array;
    return (struct estimate){NAN, NAN};
}
