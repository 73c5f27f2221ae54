/* SPDX-License-Identifier: MIT */
#include "harness/plot/verdict_matrix.h"

#include <math.h>
#include <string.h>

#include "harness/judge/thresholds.h"

static const char *const matrix_names[MATRIX_AXES] = {"hash", "keys", "filter", "reduction"};

int verdict_rank(const struct run_cell *cell)
{
    static const char *const names[VERDICT_RANKS] = {"", "PASS", "WEAK", "WARN", "FAIL"};
    for (int rank = 1; rank < VERDICT_RANKS; rank++)
        if (strcmp(cell->verdict, names[rank]) == 0)
            return rank;
    return 0;
}

/* The least of the four p-values, and whose it is. 1 and no test where there is none. */
static double verdict_least(const struct run_cell *cell, const char **test)
{
    static const char *const names[] = {"fill", "spread", "probe", "model"};
    const double p[] = {cell->p_fill, cell->p_spread, cell->p_probe, cell->p_model};
    double least = 1;
    *test = "";
    for (int i = 0; i < JUDGE_TESTS; i++)
        if (p[i] < least) {
            least = p[i];
            *test = names[i];
        }
    return least;
}

const char *verdict_reason(const struct run_cell *cell)
{
    const char *test;
    if (verdict_rank(cell) < 3)
        return "";
    return JUDGE_TESTS * verdict_least(cell, &test) < JUDGE_WARN_P ? test : "flag";
}

enum status verdict_matrix_open(struct verdict_matrix *matrix, const struct run_data *run,
                                bool *suits, struct error *err)
{
    enum status status = axes_open(&matrix->axes, run, err);
    if (status)
        return status;
    for (int a = 0; a < MATRIX_AXES; a++) {
        matrix->axis[a] = axes_find(&matrix->axes, matrix_names[a]);
        if (matrix->axis[a] >= 0 && matrix->axes.axis[matrix->axis[a]].count == 0)
            matrix->axis[a] = -1;
    }
    *suits = matrix->axis[MATRIX_HASH] >= 0 && matrix->axis[MATRIX_KEYS] >= 0;
    return OK;
}

void verdict_matrix_release(struct verdict_matrix *matrix)
{
    axes_release(&matrix->axes);
}

int matrix_count(const struct verdict_matrix *matrix, enum matrix_axis axis)
{
    return matrix->axis[axis] < 0 ? 1 : (int)matrix->axes.axis[matrix->axis[axis]].count;
}

const char *matrix_value(const struct verdict_matrix *matrix, enum matrix_axis axis, int value)
{
    return matrix->axis[axis] < 0 ? "" : matrix->axes.axis[matrix->axis[axis]].texts[value];
}

/* A cell without a value on an axis has none of its values. */
static bool matrix_has(const struct verdict_matrix *matrix, size_t cell,
                       const int value[MATRIX_AXES])
{
    for (int a = 0; a < MATRIX_AXES; a++)
        if (value[a] != MATRIX_ANY && matrix->axis[a] >= 0 &&
            axes_value(&matrix->axes, cell, matrix->axis[a]) != value[a])
            return false;
    return true;
}

const struct run_cell *matrix_worst(const struct verdict_matrix *matrix,
                                    const int value[MATRIX_AXES])
{
    const struct run_data *run = matrix->axes.run;
    const struct run_cell *worst = NULL;
    const char *unused;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (!matrix_has(matrix, c, value))
            continue;
        int rank = verdict_rank(cell), most = worst ? verdict_rank(worst) : -1;
        if (rank > most ||
            (rank == most && verdict_least(cell, &unused) < verdict_least(worst, &unused)))
            worst = cell;
    }
    return worst;
}
