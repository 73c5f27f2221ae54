/* SPDX-License-Identifier: MIT
 *
 * size.c: `bloomlab size`: bits and probes for n keys at rate p.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "filters/filter.h"
#include "filters/theory/classic.h"
#include "filters/theory/sizing.h"
#include "harness/command/command.h"
#include "harness/experiment/values.h"
#include "harness/table/text.h"

struct request {
    uint64_t n, memory;
    double p;
    bool has_n, has_p, has_memory, csv;
};

static enum status size_options(struct request *request, int argc, char **argv, struct error *err)
{
    enum { N, P, FPR, MEMORY, CSV, COUNT }; /* --fpr: as dedup and advise spell it */
    static const struct option_spec specs[] = {[N] = {"n", true},
                                               [P] = {"p", true},
                                               [FPR] = {"fpr", true},
                                               [MEMORY] = {"memory", true},
                                               [CSV] = {"csv", false}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, COUNT, &option, &value, err);
        if (status || option == OPTION_END)
            return status;
        if (option == N) {
            request->has_n = true;
            status = value_integer(&request->n, value, "n", 1, FILTER_N_MAX, err);
        } else if (option == P || option == FPR) {
            request->has_p = true;
            status = value_real(&request->p, value, "p", -INFINITY, INFINITY, err);
        } else if (option == MEMORY) {
            request->has_memory = true;
            status = value_bytes(&request->memory, value, "--memory", err);
        } else if (option == CSV) {
            request->csv = true;
        } else {
            status = fail(err, E_INPUT, "size takes options only, not %s", value);
        }
        if (status)
            return status;
    }
}

static void size_print(const struct request *request, const struct sizing *sizing)
{
    double standard = theory_fpr_standard(sizing->m, request->n, sizing->k);
    double exact = theory_fpr_exact(sizing->m, request->n, sizing->k);
    if (request->csv) {
        printf("n,p,m,k,bytes,fpr_standard,fpr_exact\n");
        printf("%" PRIu64 ",%.12g,%" PRIu64 ",%u,%" PRIu64 ",%.12g,%.12g\n", request->n, request->p,
               sizing->m, sizing->k, sizing->bytes, standard, exact);
        return;
    }
    printf("n = %" PRIu64 " keys at p = %g\n", request->n, request->p);
    printf("m = %" PRIu64 " bits (%" PRIu64 " bytes, %.4g bits per key)\n", sizing->m,
           sizing->bytes, (double)sizing->m / (double)request->n);
    printf("k = %u\n", sizing->k);
    printf("rate reached: %.6g (standard), %.6g (exact)\n", standard, exact);
}

static enum status size_run(int argc, char **argv, struct error *err)
{
    struct request request = {0};
    struct sizing sizing;
    enum status status = size_options(&request, argc, argv, err);
    if (status)
        return status;
    if (!request.has_n || !request.has_p)
        return fail(err, E_INPUT, "size needs --n and --p");
    status = request.has_memory
                 ? theory_size_capped(&sizing, request.n, request.p, request.memory, err)
                 : theory_size(&sizing, request.n, request.p, err);
    if (status)
        return status;
    size_print(&request, &sizing);
    return output_finish(err);
}

const struct command command_size = {
    .name = "size",
    .summary = "bits and probes for n keys at a wanted rate",
    .help = "usage: bloomlab size --n N --p P [--memory SIZE] [--csv]\n\n"
            "m = ceil(-n ln p / (ln 2)^2), k the integer that minimises (1-e^(-kn/m))^k there.\n\n"
            "  --n N          keys, at least 1\n"
            "  --p P          wanted false-positive rate, between 0 and 1; or --fpr P\n"
            "  --memory SIZE  at most this much memory (a number, or 4KiB, 2GiB, ...)\n"
            "  --csv          columns n,p,m,k,bytes,fpr_standard,fpr_exact\n",
    .run = size_run,
};
