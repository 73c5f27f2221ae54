/* SPDX-License-Identifier: MIT
 *
 * claims.c: `bloomlab claims`: what published documents claim, computed and measured anew.
 */
#include "harness/claims/claims.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/command.h"
#include "harness/experiment/values.h"
#include "harness/plot/plot.h"
#include "harness/provenance/provenance.h"
#include "harness/report/report.h"
#include "harness/schedule/progress.h"
#include "harness/table/file.h"
#include "harness/table/text.h"

struct request {
    const char *out, *only, *scale;
    bool list, plots, quiet;
    unsigned threads;
    int argc;
    char **argv;
};

enum { OUT, SCALE, SOURCE, LIST, THREADS, NO_PLOTS, QUIET, OPTION_COUNT };

static enum status take_option(struct request *request, int option, const char *value,
                               struct error *err)
{
    uint64_t threads;
    enum status status;
    switch (option) {
    case OUT:
        request->out = value;
        return *value ? OK : fail(err, E_INPUT, "--out is empty");
    case SCALE:
        request->scale = strcmp(value, "default") == 0 ? NULL : value;
        return !request->scale || strcmp(value, CLAIM_SCALE_FULL) == 0 ||
                       strcmp(value, CLAIM_SCALE_QUICK) == 0
                   ? OK
                   : fail(err, E_INPUT, "--scale %s is neither default nor %s nor %s", value,
                          CLAIM_SCALE_FULL, CLAIM_SCALE_QUICK);
    case SOURCE:
        request->only = value;
        return *value ? OK : fail(err, E_INPUT, "--source is empty");
    case LIST:
        request->list = true;
        return OK;
    case THREADS:
        status = value_integer(&threads, value, "--threads", 1, 1024, err);
        if (!status)
            request->threads = (unsigned)threads;
        return status;
    case NO_PLOTS:
        request->plots = false;
        return OK;
    case QUIET:
        request->quiet = true;
        return OK;
    default:
        return fail(err, E_INPUT, "claims takes options only, not %s", value);
    }
}

static enum status take_options(struct request *request, int argc, char **argv, struct error *err)
{
    static const struct option_spec specs[OPTION_COUNT] = {
        [OUT] = {"out", true},      [SCALE] = {"scale", true},     [SOURCE] = {"source", true},
        [LIST] = {"list", false},   [THREADS] = {"threads", true}, [NO_PLOTS] = {"no-plots", false},
        [QUIET] = {"quiet", false},
    };
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, OPTION_COUNT, &option, &value, err);
        if (status || option == OPTION_END)
            return status;
        status = take_option(request, option, value, err);
        if (status)
            return status;
    }
}

static enum status print_list(const struct request *request, struct error *err)
{
    struct text text = {0};
    text_printf(&text, "source,claim,claimed\n");
    for (size_t s = 0; s < claim_sources; s++) {
        const struct claim_source *source = claim_table[s];
        if (!strstr(source->name, request->only) && !strstr(source->title, request->only))
            continue;
        for (size_t c = 0; c < source->count; c++) {
            field_string(&text, source->name);
            field_string(&text, source->claims[c].name);
            field_string(&text, source->claims[c].claimed);
            row_end(&text);
        }
    }
    if (text.failed)
        return fail(err, E_RUN, "no memory for the list of claims");
    fwrite(text.data, 1, text.size, stdout);
    text_release(&text);
    return output_finish(err);
}

static void tell_claim(void *context, const struct claim_source *source, const struct claim *claim)
{
    (void)context;
    fprintf(stderr, "\r\033[K%.20s: %.100s", source->title, claim->name);
}

/* One line a verdict other than reproduced, and the counts. */
static void print_summary(const struct found *found, size_t count, const char *directory)
{
    size_t verdicts[CLAIM_VERDICTS] = {0};
    for (size_t i = 0; i < count; i++) {
        const struct finding *finding = &found[i].finding;
        verdicts[finding->verdict]++;
        if (finding->verdict != CLAIM_REPRODUCED)
            printf("%-12s %.3s  %s: claimed %s; found %s\n", claim_verdict_name[finding->verdict],
                   found[i].source->name, found[i].claim->name, found[i].claim->claimed,
                   finding->measured);
    }
    printf("%zu claims:", count);
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        printf("%s %zu %s", v ? "," : "", verdicts[v], claim_verdict_name[v]);
    printf("; %s/claims.csv\n", directory);
}

static enum status claims_provenance(const struct request *request, double seconds,
                                     struct error *err)
{
    const char *tables[8];
    struct schedule schedule = {.threads = request->threads};
    struct schedule_report report = {.seconds = seconds};
    struct provenance provenance = {
        .name = "claims",
        .question = "What do published documents on Bloom filters state, and what comes out?",
        .schedule = &schedule,
        .report = &report,
        .scale = request->scale,
        .argc = request->argc,
        .argv = request->argv,
        .tables = tables,
    };
    while (claims_tables[provenance.table_count] && provenance.table_count < 8) {
        tables[provenance.table_count] = claims_tables[provenance.table_count];
        provenance.table_count++;
    }
    return provenance_write(request->out, &provenance, err);
}

/* The figures and the page; beside other runs, the page that lists them all. */
static enum status claims_show(const struct request *request, struct error *err)
{
    char parent[PATH_MAX];
    plot_remove_old(request->out); /* they would be of an earlier run */
    if (!request->plots)
        return file_remove(request->out, "index.html", err);
    enum status status = plot_run(request->out, err);
    if (!status)
        status = report_write(request->out, err);
    if (status || snprintf(parent, sizeof parent, "%s/..", request->out) >= (int)sizeof parent)
        return status;
    return report_index_again(parent, err);
}

static enum status claims_run(const struct request *request, struct error *err)
{
    double started = progress_clock();
    struct claim_lab lab = {
        .scale = request->scale,
        .threads = request->threads,
        .directory = request->out,
        .interrupt = &command_interrupted,
    };
    struct found *found;
    size_t count;
    bool live = !request->quiet && isatty(STDERR_FILENO);
    enum status status =
        claims_find(&found, &count, &lab, request->only, live ? tell_claim : NULL, NULL, err);
    if (live)
        fprintf(stderr, "\r\033[K");
    if (!status)
        status = claims_write(request->out, found, count, err);
    if (!status)
        status = claims_provenance(request, progress_clock() - started, err);
    if (!status)
        status = claims_show(request, err);
    if (!status) {
        print_summary(found, count, request->out);
        status = output_finish(err);
    }
    free(found);
    claim_lab_release(&lab);
    return status;
}

static enum status claims_command(int argc, char **argv, struct error *err)
{
    struct request request = {
        .out = "results/claims",
        .only = "",
        .plots = true,
        .argc = argc,
        .argv = argv,
        .threads = (unsigned)omp_get_max_threads(),
    };
    enum status status = take_options(&request, argc, argv, err);
    if (status)
        return status;
    return request.list ? print_list(&request, err) : claims_run(&request, err);
}

const struct command command_claims = {
    .name = "claims",
    .summary = "what published documents claim, computed and measured anew",
    .help = "usage: bloomlab claims [OPTION]...\n\n"
            "Every numeric claim of five documents on Bloom filters, and Bloom's example of 1970, "
            "found out\n"
            "anew: claims.csv, claims.md, a plot and a page in DIR. Verdicts: reproduced (in every "
            "digit),\n"
            "within error (measured), ambiguous (both readings), refuted (with the right value), "
            "external.\n\n"
            "  --out DIR      where results go (default results/claims)\n"
            "  --scale SCALE  default (under 5 minutes), full: the sizes of the sources, or quick: "
            "seconds,\n"
            "                 wide intervals\n"
            "  --source TEXT  only sources whose name or title contains it: 001, 1970\n"
            "  --list         the claims, without finding out anything\n"
            "  --threads T    threads (default: one a core); the numbers do not depend on it\n"
            "  --no-plots     tables only\n"
            "  --quiet        no progress\n",
    .run = claims_command,
};
