/* SPDX-License-Identifier: MIT */
#include "harness/table/probes.h"

#include <math.h>
#include <string.h>

#include "harness/stats/stats.h"
#include "harness/table/file.h"
#include "harness/workload/probes.h"

static const char probes_header[] =
    "experiment,cell_id,probe,other,queries,hits,share,expected,ratio,z,p,p_cell\n";

struct score probes_score(const struct probe_tally *tally)
{
    double queries = (double)tally->queries, rate = fmin(1, tally->expected / queries);
    struct score score = stats_score(stats_binomial_tails(tally->hits, tally->queries, rate));
    double binomial = queries * rate * (1 - rate);
    if (!(tally->variance > 0) || isnan(score.z) || fabs(score.z) >= STATS_Z_IMPOSSIBLE)
        return score;
    return stats_score_normal(score.z * sqrt(binomial / tally->variance));
}

static void probes_row(struct text *text, const struct plan *plan, const struct cell *cell,
                       size_t row, const struct probe_tally *tally)
{
    unsigned i, j;
    struct score score = probes_score(tally);
    double queries = (double)tally->queries, hits = (double)tally->hits;
    probes_of_row(&i, &j, cell, row);
    field_string(text, plan->experiment->name);
    field_string(text, cell->id);
    field_count(text, i);
    if (i == j)
        field_empty(text);
    else
        field_count(text, j);
    field_count(text, tally->queries);
    field_count(text, tally->hits);
    field_rate(text, hits / queries);
    field_rate(text, tally->expected / queries);
    field_rate(text, tally->expected > 0 ? hits / tally->expected : NAN);
    field_z(text, score.z);
    field_p(text, score.p);
    field_p(text, fmin(1, score.p * (double)probes_rows(cell)));
    row_end(text);
}

void probes_table(struct text *text, const struct plan *plan, const struct profile *profile)
{
    text_add(text, probes_header, strlen(probes_header));
    for (size_t c = 0; c < plan->cell_count; c++) {
        const struct cell *cell = &plan->cells[c];
        size_t rows = profile->cell[c] && cell->trials ? probes_rows(cell) : 0;
        for (size_t row = 0; row < rows; row++)
            probes_row(text, plan, cell, row, &profile->cell[c][row]);
    }
}

enum status probes_write(const char *directory, const struct plan *plan,
                         const struct profile *profile, struct error *err)
{
    struct text text = {0};
    if (!profile)
        return file_remove(directory, PROBES_FILE, err);
    probes_table(&text, plan, profile);
    enum status status = file_write(directory, PROBES_FILE, &text, err);
    text_release(&text);
    return status;
}
