/* SPDX-License-Identifier: MIT
 *
 * finding.h: what was found of one claim: numbers beside the claimed ones, and a verdict.
 *
 * A reading is one number. The verdict follows from the readings: a computed number that does not
 * round to the claimed one, or a measured one 4 standard errors away, refutes the claim; a claim
 * whose measured numbers agree is within error; one whose numbers are all computed is reproduced. A
 * claim whose words admit two meanings, or that leaves its answer open, is ambiguous: the function
 * that finds out says so from the numbers, and both readings are given. External: nothing here can
 * tell, and `measured` says why.
 */
#ifndef BLOOMLAB_FINDING_H
#define BLOOMLAB_FINDING_H

#include <stdbool.h>

#include "filters/theory/model.h"
#include "harness/stats/stats.h"

enum claim_verdict {
    CLAIM_REPRODUCED,
    CLAIM_WITHIN_ERROR,
    CLAIM_AMBIGUOUS,
    CLAIM_REFUTED,
    CLAIM_EXTERNAL,
};
enum { CLAIM_VERDICTS = CLAIM_EXTERNAL + 1 };

extern const char *const claim_verdict_name[CLAIM_VERDICTS];

/* A measured number so many standard errors from the claimed one refutes it: 6e-5 by chance. */
#define CLAIM_Z_MAX 4.0

enum {
    FINDING_READINGS_MAX = 8,
    FINDING_NAME_MAX = 64,
    FINDING_TEXT_MAX = 512,
};

/* Absent numbers are NaN. */
struct reading {
    char name[FINDING_NAME_MAX];
    double claimed;
    double value;          /* computed or measured */
    struct interval range; /* 95 %, of a measured one */
    double z;              /* (value - claimed) / its standard error */
};

struct finding {
    enum claim_verdict verdict;
    struct reading reading[FINDING_READINGS_MAX];
    unsigned readings;
    char measured[FINDING_TEXT_MAX]; /* "": made of the readings */
    char how[FINDING_TEXT_MAX];      /* what repeats it */
};

/* A computed number; it agrees when it rounds to the claimed one at the claimed unit (0: equal to
 * 12 digits). unit < 0: a bound from below, >= claimed. */
void finding_computed(struct finding *finding, const char *name, double claimed, double unit,
                      double value);

/* A measured number with its 95 % interval and the score of its distance from the claim. */
void finding_measured(struct finding *finding, const char *name, double claimed, double value,
                      struct interval range, double z);

/* The mean of `count` values with Student's interval; z is in standard errors of the mean. */
void finding_mean(struct finding *finding, const char *name, double claimed, const double *value,
                  size_t count);

/* The same of a claim that is itself the mean of `draws` such values, of one value for draws = 1:
 * the interval is where it falls with 95 %, and z counts its standard deviations. */
void finding_draw(struct finding *finding, const char *name, double claimed, const double *value,
                  size_t count, double draws);

/* A share of so many chances, with Wilson's interval; z by the binomial law. */
void finding_share(struct finding *finding, const char *name, double claimed, uint64_t hits,
                   uint64_t chances);

/* A number that the claim does not give: no verdict depends on it. */
void finding_aside(struct finding *finding, const char *name, double value);

/* Unless what is claimed `holds`, the verdict is `otherwise`, or worse. */
void finding_holds(struct finding *finding, bool holds, enum claim_verdict otherwise);

void finding_say(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_how(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fills in `measured` where it was left to the readings; writes the intervals, "" for none. */
void finding_finish(struct finding *finding, char intervals[FINDING_TEXT_MAX]);

#endif
