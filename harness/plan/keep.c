/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "harness/plan/plan.h"

/* Takes out of a list of cell indices those that are gone, and renumbers the others. */
static size_t keep_indices(size_t *list, size_t count, const size_t *moved)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (moved[list[i]] != SIZE_MAX)
            list[kept++] = moved[list[i]];
    return kept;
}

enum status plan_keep(struct plan *plan, const bool *keep, struct error *err)
{
    size_t kept = 0;
    size_t *moved = malloc((plan->cell_count + 1) * sizeof *moved);
    if (!moved)
        return fail(err, E_RUN, "no memory for a plan of %zu cells", plan->cell_count);
    plan->result_count = 0;
    for (size_t c = 0; c < plan->cell_count; c++) {
        moved[c] = keep[c] ? kept : SIZE_MAX;
        if (!keep[c])
            continue;
        plan->cells[kept] = plan->cells[c];
        plan->cells[kept].first_result = plan->result_count;
        plan->result_count += plan->cells[kept++].trials;
    }
    keep_indices(plan->by_id, plan->cell_count, moved);
    for (size_t g = 0; g < plan->group_count; g++)
        plan->groups[g].count = keep_indices(plan->groups[g].cells, plan->groups[g].count, moved);
    plan->cell_count = kept;
    free(moved);
    return OK;
}
