/* SPDX-License-Identifier: MIT */
#include "harness/plan/theory.h"

#include <math.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "filters/theory/width.h"

enum { CLASSIC_FORMULAS = 4, NARROW_FORMULAS = 3 };

static bool has_classic(const struct layout *layout)
{
    return layout->m > 0 && layout->k > 0;
}

void theory_of_layout(struct cell_theory *theory, const struct filter_ops *ops,
                      const struct layout *layout, uint64_t n)
{
    struct formula formula;
    *theory = (struct cell_theory){
        .standard = NAN,
        .bloom = NAN,
        .exact = NAN,
        .model = {.fpr = NAN, .se = NAN, .variance = NAN, .variance_se = NAN},
        .fill = {NAN, NAN},
    };
    if (has_classic(layout)) {
        theory->standard = theory_fpr_standard(layout->m, n, layout->k);
        theory->bloom = theory_fpr_bloom(layout->m, n, layout->k);
        theory->exact = theory_fpr_exact(layout->m, n, layout->k);
    }
    for (unsigned i = 0; ops->formula && ops->formula(layout, n, i, &formula); i++) {
        if (strcmp(formula.name, "fpr_standard") == 0)
            theory->standard = formula.value;
        else if (strcmp(formula.name, "fpr_bloom") == 0)
            theory->bloom = formula.value;
        else if (strcmp(formula.name, "fpr_exact") == 0)
            theory->exact = formula.value;
    }
    if (ops->expected_fpr)
        ops->expected_fpr(layout, n, &theory->model);
    if (ops->expected_fill)
        ops->expected_fill(layout, n, &theory->fill);
}

static bool classic_formula(const struct layout *layout, uint64_t n, unsigned i,
                            struct formula *formula)
{
    switch (i) {
    case 0:
        *formula = (struct formula){"fpr_standard", theory_fpr_standard(layout->m, n, layout->k),
                                    "(1-e^(-kn/m))^k"};
        return true;
    case 1:
        *formula = (struct formula){"fpr_bloom", theory_fpr_bloom(layout->m, n, layout->k),
                                    "Bloom 1970; Mullin 1983"};
        return true;
    case 2:
        *formula = (struct formula){"fpr_exact", theory_fpr_exact(layout->m, n, layout->k),
                                    "Bose et al. 2008; Christensen et al. 2010"};
        return true;
    case 3:
        *formula =
            (struct formula){"fpr_second_order", theory_fpr_second_order(layout->m, n, layout->k),
                             "E[(X/m)^k] to second order in X"};
        return true;
    default:
        return false;
    }
}

/* What w-bit digests do to the classic filter, whose positions come straight from them. */
static bool narrow_formula(const struct layout *layout, uint64_t n, unsigned i,
                           struct formula *formula)
{
    unsigned width = layout->params.digest_bits;
    switch (i) {
    case 0:
        *formula = (struct formula){
            "fpr_narrow_digests", theory_fpr_mod_biased(layout->m, n, layout->k, width),
            "exact rate under the law of (uniform w-bit digest) reduced to m"};
        return true;
    case 1:
        *formula = (struct formula){"width_floor", theory_width_floor(width, layout->columns, n),
                                    "1-(1-2^(-wd))^n: a query whose d digests are a member's"};
        return true;
    case 2:
        *formula = (struct formula){"unreachable_share", theory_unreachable(layout->m, width),
                                    "share of the positions no w-bit digest reaches"};
        return true;
    default:
        return false;
    }
}

bool theory_formula(const struct filter_ops *ops, const struct layout *layout, uint64_t n,
                    unsigned i, struct formula *formula)
{
    unsigned classic = has_classic(layout) ? CLASSIC_FORMULAS : 0;
    unsigned narrow = (ops->capabilities & FILLS_BY_THROWS) && layout->params.digest_bits < 64
                          ? NARROW_FORMULAS
                          : 0;
    if (i < classic)
        return classic_formula(layout, n, i, formula);
    if (i < classic + narrow)
        return narrow_formula(layout, n, i - classic, formula);
    return ops->formula && ops->formula(layout, n, i - classic - narrow, formula);
}
