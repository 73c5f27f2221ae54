/* SPDX-License-Identifier: MIT */
#include "harness/command/record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/json.h"

void record_release(struct record *record)
{
    free(record->experiment);
    free(record->commit);
    free(record->scale);
    free(record->yaml);
    free(record->missing);
    *record = (struct record){0};
}

const char *record_sum(const struct record *record, const char *name)
{
    for (unsigned i = 0; i < record->sum_count; i++)
        if (strcmp(record->sums[i].name, name) == 0)
            return record->sums[i].sha256;
    return NULL;
}

/* A member's value, from malloc; `fallback` where there is none, unless that is NULL. */
static enum status record_text(char **value, const char *json, const char *key,
                               const char *fallback, const char *path, struct error *err)
{
    struct text text = {0};
    text_add(&text, "", 0);
    bool there = json_member(&text, json, key);
    if (!there && fallback)
        text_add(&text, fallback, strlen(fallback));
    if (text.failed) {
        text_release(&text);
        return fail(err, E_RUN, "no memory to read %s", path);
    }
    *value = text.data;
    if (there || fallback)
        return OK;
    return fail(err, E_INPUT, "%s has no \"%s\": it is cut short, or no run wrote it", path, key);
}

static enum status record_count(uint64_t *value, const char *json, const char *key,
                                const char *path, struct error *err)
{
    char *text = NULL, *end = "";
    enum status status = record_text(&text, json, key, NULL, path, err);
    if (!status)
        *value = strtoull(text, &end, 10);
    if (!status && (*end || end == text || *text == '-'))
        status = fail(err, E_INPUT, "%s: \"%s\" is no number", path, key);
    free(text);
    return status;
}

static enum status record_shard(struct record *record, const char *json, const char *path,
                                struct error *err)
{
    char *text = NULL, extra;
    enum status status = record_text(&text, json, "shard", NULL, path, err);
    if (!status && (sscanf(text, "%9u/%9u%c", &record->shard, &record->shards, &extra) != 2 ||
                    record->shard < 1 || record->shard > record->shards))
        status = fail(err, E_INPUT, "%s: shard \"%.40s\" is not I/N", path, text);
    free(text);
    return status;
}

static void record_take_sum(void *context, const char *key, const char *value)
{
    struct record *record = context;
    if (record->sum_count == RECORD_SUMS_MAX || strlen(key) >= RECORD_NAME_MAX ||
        strchr(key, '/') || strlen(value) >= SHA256_TEXT_SIZE)
        return;
    struct record_sum *sum = &record->sums[record->sum_count++];
    strcpy(sum->name, key);
    strcpy(sum->sha256, value);
}

static enum status record_parse(struct record *record, const char *json, const char *path,
                                struct error *err)
{
    char *sums = NULL;
    enum status status = record_text(&record->experiment, json, "experiment", NULL, path, err);
    if (!status)
        status = record_text(&record->yaml, json, "yaml", NULL, path, err);
    if (!status)
        status = record_text(&record->commit, json, "commit", "", path, err);
    if (!status)
        status = record_text(&record->scale, json, "scale", "", path, err);
    if (!status)
        status = record_text(&record->missing, json, "missing", "", path, err);
    if (!status)
        status = record_count(&record->seed, json, "seed", path, err);
    if (!status)
        status = record_count(&record->memory_bytes, json, "memory_limit_bytes", path, err);
    if (!status)
        status = record_shard(record, json, path, err);
    if (!status)
        status = record_text(&sums, json, "sha256", NULL, path, err);
    if (!status)
        json_each(sums, record_take_sum, record);
    free(sums);
    return status;
}

enum status record_read(struct record *record, const char *directory, struct error *err)
{
    char path[PATH_MAX];
    struct text json;
    *record = (struct record){0};
    if ((size_t)snprintf(path, sizeof path, "%s/provenance.json", directory) >= sizeof path)
        return fail(err, E_INPUT, "the path %.60s... is too long", directory);
    if (access(path, F_OK) != 0)
        return fail(err, E_INPUT, "%s holds no finished run: it has no provenance.json", directory);
    enum status status = file_read(&json, path, err);
    if (status)
        return status;
    status = record_parse(record, json.data, path, err);
    text_release(&json);
    if (status)
        record_release(record);
    return status;
}
