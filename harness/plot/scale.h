/* SPDX-License-Identifier: MIT
 *
 * scale.h: ranges and tics of one axis of a box.
 */
#ifndef BLOOMLAB_PLOT_SCALE_H
#define BLOOMLAB_PLOT_SCALE_H

#include <stdbool.h>
#include <stddef.h>

/* What must be seen, taken up value by value. */
struct extent {
    double lo, hi;      /* lo > hi: nothing yet */
    double lo_positive; /* the least above 0 */
    bool powers_of_two; /* every value is one */
};

void extent_init(struct extent *extent);
void extent_take(struct extent *extent, double value); /* NaN and infinities are passed over */
static inline bool extent_empty(const struct extent *extent)
{
    return extent->lo > extent->hi;
}

struct scale {
    double lo, hi; /* of the axis; lo < hi; both above 0 when base is not 0 */
    int base;      /* 0: linear; 2, 10: logarithmic */
};

/* Along x: logarithmic when the values span a factor of 50 (16 for powers of two), all above 0.
 * Room is left on both sides. */
void scale_x(struct scale *scale, const struct extent *extent);

/* Along y, logarithmic to base 10; at most `decades` of them, counted from the top. */
void scale_log(struct scale *scale, const struct extent *extent, double decades);

/* Along y, linear, with room. When nothing is to be seen: [0, 1]. */
void scale_linear(struct scale *scale, const struct extent *extent);

enum { SCALE_STATEMENTS_SIZE = 2400 };

/* The gnuplot statements for axis 'x' or 'y'. */
void scale_statements(char *text, size_t size, const struct scale *scale, char axis);

#endif
