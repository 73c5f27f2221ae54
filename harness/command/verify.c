/* SPDX-License-Identifier: MIT
 *
 * verify.c: `bloomlab verify DIR`: is a run's folder what its experiment makes?
 *
 *   sums     every table is the one whose SHA-256 stands in provenance.json
 *   tables   the fields of trials.csv agree with the plan and with each other; every other table is
 *            made again from trials.csv and measures.csv and must be the same to the byte
 *   trials   some, or all, are run again from their seeds
 *
 * Whatever is wrong is looked for down to its row and column: where trials.csv is not the one that
 * was written, trials are run again until the row is found.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "harness/command/command.h"
#include "harness/command/rerun.h"
#include "harness/command/run.h"
#include "harness/experiment/values.h"
#include "harness/keys/permutation.h"
#include "harness/provenance/provenance.h"
#include "harness/schedule/profile.h"
#include "harness/table/difference.h"
#include "harness/table/probes.h"

enum { VERIFY_ROWS = 10, VERIFY_WRONG_MAX = 256 };

struct verify {
    struct finished run;
    struct schedule schedule;
    const char *directory;
    uint64_t rows, seed;
    bool all, has_seed;
    char wrong[VERIFY_WRONG_MAX]; /* tables whose sum does not hold, "a, b" */
    bool trials_wrong;            /* trials.csv or measures.csv is one of them */
};

static enum status verify_options(struct verify *v, int argc, char **argv, struct error *err)
{
    enum { ROWS, SEED, ALL, THREADS };
    static const struct option_spec specs[] = {
        {"rows", true}, {"seed", true}, {"all", false}, {"threads", true}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        uint64_t threads;
        enum status status = option_next(&walk, specs, 4, &option, &value, err);
        if (!status && option == OPTION_END)
            return v->directory ? OK : fail(err, E_INPUT, "verify needs the folder of a run");
        if (status)
            return status;
        if (option == ROWS) {
            status = value_integer(&v->rows, value, "--rows", 0, UINT64_MAX, err);
        } else if (option == SEED) {
            v->has_seed = true;
            status = value_integer(&v->seed, value, "--seed", 0, UINT64_MAX, err);
        } else if (option == ALL) {
            v->all = true;
        } else if (option == THREADS) {
            status = value_integer(&threads, value, "--threads", 1, 1024, err);
            v->schedule.threads = status ? 1 : (unsigned)threads;
        } else if (v->directory) {
            status = fail(err, E_INPUT, "one run at a time: %s is one too many", value);
        } else {
            v->directory = value;
        }
        if (status)
            return status;
    }
}

static void verify_commit(const struct verify *v)
{
    char commit[64];
    const char *then = v->run.record.commit;
    provenance_commit(commit, sizeof commit);
    if (strcmp(commit, then) != 0)
        fprintf(stderr, "%s was made at commit %s, this is %s: checked all the same\n",
                v->directory, *then ? then : "(unknown)", *commit ? commit : "(unknown)");
}

/* ---- sums -------------------------------------------------------------------------------------
 */

static enum status verify_sums(struct verify *v, struct error *err)
{
    const struct record *record = &v->run.record;
    for (unsigned i = 0; table_name(i); i++)
        if (!record_sum(record, table_name(i)))
            return fail(err, E_CHECK, "%s/provenance.json has no SHA-256 of %s", v->directory,
                        table_name(i));
    for (unsigned i = 0; i < record->sum_count; i++) {
        char sum[SHA256_TEXT_SIZE];
        const char *name = record->sums[i].name;
        enum status status = file_sha256(sum, v->directory, name, err);
        if (status)
            return status;
        if (strcmp(sum, record->sums[i].sha256) == 0)
            continue;
        size_t used = strlen(v->wrong);
        snprintf(v->wrong + used, sizeof v->wrong - used, "%s%s", used ? ", " : "", name);
        v->trials_wrong |= strcmp(name, "trials.csv") == 0 || strcmp(name, "measures.csv") == 0;
    }
    return OK;
}

static enum status verify_seed(const struct verify *v, struct error *err)
{
    if (v->run.experiment->seed == v->run.record.seed)
        return OK;
    return fail(err, E_CHECK,
                "%s/provenance.json says seed %" PRIu64 ", the experiment in it %" PRIu64,
                v->directory, v->run.record.seed, v->run.experiment->seed);
}

/* ---- trials run again -------------------------------------------------------------------------
 */

static enum status verify_rerun(const struct verify *v, const bool *chosen, uint64_t count,
                                struct error *err)
{
    struct schedule schedule = v->schedule;
    schedule.quiet = count <= VERIFY_ROWS;
    return rerun_check(&v->run, chosen, &schedule, err);
}

/* Knuth's selection sampling (TAOCP 2, 3.4.2, algorithm S): every row is as likely. */
static uint64_t verify_choose(bool *chosen, uint64_t rows, uint64_t count, uint64_t seed)
{
    uint64_t taken = 0, state = seed;
    for (uint64_t r = 0; r < count; r++) {
        chosen[r] = splitmix64(&state) % (count - r) < rows - taken;
        taken += chosen[r];
    }
    return taken;
}

static enum status verify_some(struct verify *v, uint64_t *taken, struct error *err)
{
    size_t count = v->run.plan->result_count;
    if (!v->has_seed && getrandom(&v->seed, sizeof v->seed, 0) != sizeof v->seed)
        v->seed = 1;
    bool *chosen = calloc(count + 1, sizeof *chosen);
    if (!chosen)
        return fail(err, E_RUN, "no memory for %zu rows", count);
    uint64_t rows = v->all || v->rows > count ? count : v->rows;
    *taken = verify_choose(chosen, rows, count, v->seed);
    enum status status = verify_rerun(v, chosen, *taken, err);
    free(chosen);
    return status;
}

/* Runs the trials of one cell again (NULL: of all) to find the row that was changed. OK: none was.
 */
static enum status verify_search(struct verify *v, const struct cell *cell, struct error *err)
{
    size_t count = v->run.plan->result_count;
    bool *chosen = calloc(count + 1, sizeof *chosen);
    if (!chosen)
        return fail(err, E_RUN, "no memory for %zu rows", count);
    memset(chosen + (cell ? cell->first_result : 0), true, cell ? (size_t)cell->trials : count);
    if (!cell)
        fprintf(stderr, "%s: %s is not what was written; running all %zu trials to find the row\n",
                v->directory, v->wrong, count);
    enum status status = verify_rerun(v, chosen, cell ? 0 : count, err);
    free(chosen);
    return status;
}

/* A row that does not agree with itself: which of its columns is wrong is told by its trial. */
static enum status verify_fault(struct verify *v, struct error *err)
{
    struct error found = {0};
    size_t count = v->run.plan->result_count;
    bool *chosen = v->run.fault ? calloc(count, sizeof *chosen) : NULL;
    if (!chosen)
        return E_CHECK;
    chosen[v->run.fault->first_result + v->run.fault_trial] = true;
    if (verify_rerun(v, chosen, 1, &found) == E_CHECK)
        *err = found;
    free(chosen);
    return E_CHECK;
}

/* ---- tables made again ------------------------------------------------------------------------
 */

/* One table of the folder against what it must be. */
static enum status verify_table(struct verify *v, unsigned i, const struct text *must,
                                struct error *err)
{
    char path[PATH_MAX];
    struct text is;
    struct difference difference;
    const char *name = table_name(i);
    if (must->failed)
        return fail(err, E_RUN, "no memory to make %s again", name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", v->directory, name) >= sizeof path)
        return fail(err, E_INPUT, "the path %.60s... is too long", v->directory);
    enum status status = file_read(&is, path, err);
    if (status)
        return status;
    if (table_difference(&difference, &is, must)) {
        const struct cell *cell = plan_find(v->run.plan, difference.cell_id);
        /* The trials may be at fault, unless this table alone has lost its sum. */
        bool trials = v->trials_wrong || !strstr(v->wrong, name);
        status = cell && trials ? verify_search(v, cell, err) : OK;
        if (!status)
            status = fail(err, E_CHECK, "%.100s/%s, %s", v->directory, name, difference.sentence);
    }
    text_release(&is);
    return status;
}

static enum status verify_tables(struct verify *v, struct error *err)
{
    const struct finished *run = &v->run;
    size_t cells = run->plan->cell_count;
    struct cell_summary *summaries = calloc(cells ? cells : 1, sizeof *summaries);
    if (!summaries)
        return fail(err, E_RUN, "no memory for %zu rows of cells.csv", cells);
    enum status status =
        run_summarise(summaries, run->plan, run->results, v->schedule.threads, err);
    for (unsigned i = 0; !status && table_name(i); i++) {
        struct text must = {0};
        status = table_text(&must, i, run->plan, run->results, summaries, err);
        if (!status)
            status = verify_table(v, i, &must, err);
        text_release(&must);
    }
    free(summaries);
    return status;
}

/* The probe profile takes as long as the run did: made again where all is, or where it is wrong. */
static enum status verify_profile(struct verify *v, struct error *err)
{
    struct profile profile;
    struct text is = {0}, must = {0};
    struct difference difference;
    char path[PATH_MAX];
    bool interrupted;
    if (!record_sum(&v->run.record, PROBES_FILE) || !(v->all || strstr(v->wrong, PROBES_FILE)))
        return OK;
    if ((size_t)snprintf(path, sizeof path, "%s/" PROBES_FILE, v->directory) >= sizeof path)
        return fail(err, E_INPUT, "the path %.60s... is too long", v->directory);
    enum status status = profile_run(&profile, &interrupted, &v->schedule, v->run.plan, err);
    if (status || interrupted)
        return status;
    probes_table(&must, v->run.plan, &profile);
    profile_release(&profile);
    status =
        must.failed ? fail(err, E_RUN, "no memory for " PROBES_FILE) : file_read(&is, path, err);
    if (!status && table_difference(&difference, &is, &must))
        status =
            fail(err, E_CHECK, "%.100s/" PROBES_FILE ", %s", v->directory, difference.sentence);
    text_release(&is);
    text_release(&must);
    return status;
}

/* Everything follows from trials.csv, but some file is not the one that was written. */
static enum status verify_unexplained(struct verify *v, struct error *err)
{
    if (!*v->wrong)
        return OK;
    enum status status = v->trials_wrong ? verify_search(v, NULL, err) : OK;
    if (status || command_interrupted)
        return status;
    return fail(err, E_CHECK, "%s: %s has another SHA-256 than provenance.json says", v->directory,
                v->wrong);
}

/* ---- the command ------------------------------------------------------------------------------
 */

static enum status verify_all(struct verify *v, uint64_t *taken, struct error *err)
{
    verify_commit(v);
    enum status status = verify_seed(v, err);
    if (!status)
        status = verify_sums(v, err);
    if (status)
        return status;
    status = finished_read(&v->run, err);
    if (status == E_CHECK)
        return verify_fault(v, err);
    if (!status)
        status = verify_tables(v, err);
    if (!status)
        status = verify_profile(v, err);
    if (!status)
        status = verify_unexplained(v, err);
    return status ? status : verify_some(v, taken, err);
}

static enum status verify_run(int argc, char **argv, struct error *err)
{
    struct verify v = {.rows = VERIFY_ROWS};
    uint64_t taken = 0;
    rerun_defaults(&v.schedule);
    enum status status = verify_options(&v, argc, argv, err);
    if (!status)
        status = finished_open(&v.run, v.directory, err);
    if (status)
        return status;
    status = verify_all(&v, &taken, err);
    if (!status && !command_interrupted)
        printf("%s: %u tables have their sums and follow from trials.csv (%zu rows); %" PRIu64
               " trials run again are the same to the bit (rows drawn with --seed %" PRIu64 ")\n",
               v.directory, v.run.record.sum_count, v.run.plan->result_count, taken, v.seed);
    finished_close(&v.run);
    return status ? status : output_finish(err);
}

const struct command command_verify = {
    .name = "verify",
    .summary = "check a run's tables, and run some of its trials again",
    .help = "usage: bloomlab verify DIR [--rows N] [--seed S] [--all] [--threads T]\n\n"
            "DIR is the folder of a finished run. Its tables must have the SHA-256 that stand in\n"
            "provenance.json; every field must follow from the experiment and from trials.csv, to\n"
            "the byte; and trials drawn at random, run again from their seeds, must give the same\n"
            "hits, bits and digests. Exit 1 names the row and the column that differ.\n\n"
            "  --rows N     how many trials to run again (default 10)\n"
            "  --seed S     draws the same ones again; without it others each time\n"
            "  --all        run all of them\n"
            "  --threads T  threads (default: one a core)\n",
    .run = verify_run,
};
