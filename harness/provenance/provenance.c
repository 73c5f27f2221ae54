/* SPDX-License-Identifier: MIT */
#include "harness/provenance/provenance.h"

#include <gmp.h>
#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <mpfr.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>
#include <yaml.h>
#if BLOOMLAB_JEMALLOC
#include <jemalloc/jemalloc.h>
#endif

#include "build_info.h"
#include "harness/table/file.h"

/* ---- JSON, as little as is needed -------------------------------------------------------------
 */

static void json_string(struct text *text, const char *value)
{
    text_add(text, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_printf(text, "\\%c", *c);
        else if (*c == '\n')
            text_printf(text, "\\n");
        else if (*c < 0x20)
            text_printf(text, "\\u%04x", *c);
        else
            text_add(text, (const char *)c, 1);
    }
    text_add(text, "\"", 1);
}

static void json_key(struct text *text, const char *key)
{
    text_printf(text, "%s\n  \"%s\": ", text->in_row ? "," : "", key);
    text->in_row = true;
}

static void json_text(struct text *text, const char *key, const char *value)
{
    json_key(text, key);
    json_string(text, value);
}

static void json_count(struct text *text, const char *key, uint64_t value)
{
    json_key(text, key);
    text_printf(text, "%" PRIu64, value);
}

/* ---- what is asked of the system
 * ----------------------------------------------------------------- */

static void first_line(const char *command, char *line, size_t size)
{
    line[0] = '\0';
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return;
    if (!fgets(line, (int)size, pipe))
        line[0] = '\0';
    pclose(pipe);
    line[strcspn(line, "\n")] = '\0';
}

void provenance_commit(char *text, size_t size)
{
    char changed[16];
    first_line("git rev-parse HEAD 2>/dev/null", text, size);
    if (!text[0])
        return;
    first_line("git status --porcelain --untracked-files=no 2>/dev/null", changed, sizeof changed);
    if (changed[0])
        strncat(text, "+dirty", size - strlen(text) - 1);
}

static void cpu_model(char *model, size_t size)
{
    char line[256];
    snprintf(model, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(model, size, "%s", strchr(line, ':') + 2);
            model[strcspn(model, "\n")] = '\0';
            break;
        }
    fclose(file);
}

static void json_machine(struct text *text)
{
    char model[256];
    struct utsname system;
    cpu_model(model, sizeof model);
    json_text(text, "cpu", model);
    json_count(text, "cores", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    json_key(text, "cache_bytes");
    text_printf(text, "{\"l1d\": %ld, \"l2\": %ld, \"l3\": %ld}", sysconf(_SC_LEVEL1_DCACHE_SIZE),
                sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE));
    if (uname(&system) == 0) {
        char kernel[256];
        snprintf(kernel, sizeof kernel, "%.100s %.100s %.40s", system.sysname, system.release,
                 system.machine);
        json_text(text, "kernel", kernel);
    }
}

static void json_build(struct text *text)
{
    int major, minor, patch;
    yaml_get_version(&major, &minor, &patch);
    json_text(text, "compiler", BLOOMLAB_COMPILER);
    json_text(text, "flags", BLOOMLAB_FLAGS);
    json_key(text, "libraries");
    text_printf(text,
                "{\"glibc\": \"%s\", \"gmp\": \"%s\", \"mpfr\": \"%s\", \"gsl\": \"%s\", "
                "\"libyaml\": \"%d.%d.%d\", \"xxhash\": \"%u\", \"openssl\": \"%s\"",
                gnu_get_libc_version(), gmp_version, mpfr_get_version(), gsl_version, major, minor,
                patch, XXH_versionNumber(), OpenSSL_version(OPENSSL_VERSION_STRING));
#if BLOOMLAB_JEMALLOC
    const char *jemalloc = "";
    size_t size = sizeof jemalloc;
    mallctl("version", &jemalloc, &size, NULL, 0);
    text_printf(text, ", \"jemalloc\": \"%s\"", jemalloc);
#endif
    text_printf(text, "}");
}

static void json_run(struct text *text, const struct provenance *p)
{
    const struct plan *plan = p->plan;
    char now[32];
    time_t clock = time(NULL);
    struct tm utc;
    gmtime_r(&clock, &utc);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_text(text, "finished", now);
    json_key(text, "command");
    text_printf(text, "[");
    for (int i = 0; i < p->argc; i++) {
        text_printf(text, i ? ", " : "");
        json_string(text, p->argv[i]);
    }
    text_printf(text, "]");
    json_text(text, "scale", p->scale ? p->scale : "");
    json_count(text, "threads", p->schedule->threads);
    if (plan) {
        json_count(text, "seed", plan->experiment->seed);
        json_key(text, "shard");
        text_printf(text, "\"%u/%u\"", p->shard, p->shards);
        json_count(text, "cells", plan->cell_count);
        json_count(text, "skipped", plan->skipped_count);
        json_count(text, "trials", plan->result_count);
        json_count(text, "trials_run_now", p->report->trials);
    }
    json_key(text, "seconds");
    text_printf(text, "%.3f", p->report->seconds);
}

static void json_memory(struct text *text, const struct provenance *p)
{
    struct rusage usage;
    if (p->plan) {
        json_count(text, "memory_limit_bytes", p->schedule->memory_bytes);
        json_count(text, "planned_peak_bytes", p->report->peak_task_bytes);
    }
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        json_count(text, "measured_peak_bytes", (uint64_t)usage.ru_maxrss * 1024);
#if BLOOMLAB_JEMALLOC
    uint64_t epoch = 1;
    size_t resident = 0, size = sizeof resident;
    mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    if (mallctl("stats.resident", &resident, &size, NULL, 0) == 0)
        json_count(text, "jemalloc_resident_bytes", resident);
#endif
}

static enum status json_tables(struct text *text, const char *directory, const struct provenance *p,
                               struct error *err)
{
    char sum[SHA256_TEXT_SIZE];
    json_key(text, "sha256");
    text_printf(text, "{");
    for (unsigned i = 0; i < p->table_count; i++) {
        enum status status = file_sha256(sum, directory, p->tables[i], err);
        if (status)
            return status;
        text_printf(text, "%s\n    \"%s\": \"%s\"", i ? "," : "", p->tables[i], sum);
    }
    text_printf(text, "\n  }");
    return OK;
}

static void json_merged(struct text *text, const struct provenance *p)
{
    if (p->part_count == 0)
        return;
    json_key(text, "parts");
    for (unsigned i = 0; i < p->part_count; i++) {
        const struct provenance_part *part = &p->parts[i];
        text_printf(text, "%s\n    {\"directory\": ", i ? "," : "[");
        json_string(text, part->directory);
        text_printf(text,
                    ", \"shard\": \"%u/%u\", \"cells\": %" PRIu64 ", \"commit\": ", part->shard,
                    part->shards, part->cells);
        json_string(text, part->commit);
        text_printf(text, ", \"trials.csv\": \"%s\"}", part->trials_sha256);
    }
    text_printf(text, "\n  ]");
    json_key(text, "missing");
    text_printf(text, "[");
    for (size_t i = 0; i < p->missing_count; i++)
        text_printf(text, "%s\"%s\"", i ? ", " : "", p->missing[i]);
    text_printf(text, "]");
}

enum status provenance_write(const char *directory, const struct provenance *provenance,
                             struct error *err)
{
    struct text text = {0};
    char commit[64];
    const struct experiment *experiment = provenance->plan ? provenance->plan->experiment : NULL;
    provenance_commit(commit, sizeof commit);
    text_printf(&text, "{");
    json_text(&text, "experiment", experiment ? experiment->name : provenance->name);
    json_text(&text, "question", experiment ? experiment->question : provenance->question);
    json_text(&text, "program", "bloomlab");
    json_text(&text, "commit", commit);
    json_run(&text, provenance);
    json_machine(&text);
    json_build(&text);
    for (unsigned i = 0; i < provenance->fact_count; i++)
        json_text(&text, provenance->facts[i].key, provenance->facts[i].text);
    json_memory(&text, provenance);
    json_merged(&text, provenance);
    enum status status = json_tables(&text, directory, provenance, err);
    json_text(&text, "yaml", experiment && experiment->source ? experiment->source : "");
    text_printf(&text, "\n}\n");
    if (!status)
        status = file_write(directory, "provenance.json", &text, err);
    text_release(&text);
    return status;
}
