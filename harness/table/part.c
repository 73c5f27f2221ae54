/* SPDX-License-Identifier: MIT */
#include "harness/table/part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "harness/table/file.h"

enum { CHECKSUM_DIGITS = 8, PART_FIELDS = TRIAL_COLUMNS + 2 };

struct part {
    int file;
    struct text pending;
    bool written_since_sync;
    struct timespec synced;
    char path[PATH_MAX];
};

static enum status part_path(char path[PATH_MAX], const char *directory, struct error *err)
{
    int size = snprintf(path, PATH_MAX, "%s/trials.part", directory);
    if (size < 0 || size >= PATH_MAX)
        return fail(err, E_INPUT, "the path of %.60s... is too long", directory);
    return OK;
}

/* XXH3 of the program itself: rows of two builds must not meet in one table. 0 where the system
 * does not tell. */
static uint64_t program_digest(void)
{
    struct text program;
    if (file_read(&program, "/proc/self/exe", NULL) != OK)
        return 0;
    uint64_t digest = XXH3_64bits(program.data, program.size);
    text_release(&program);
    return digest;
}

static void part_head(struct text *text, const struct plan *plan)
{
    text_printf(text,
                "# bloomlab trials.part, plan %016" PRIx64 ", program %016" PRIx64
                ", experiment %s\n",
                plan->digest, program_digest(), plan->experiment->name);
    text_add(text, trials_header, strlen(trials_header) - 1);
    text_printf(text, ",measures,checksum\n");
}

static uint32_t row_checksum(const char *row, size_t size)
{
    return (uint32_t)XXH3_64bits(row, size);
}

/* ---- reading what an earlier run left -----------------------------------------------------------
 */

/* Takes one line; false when it is broken or not this plan's. */
static bool part_take(char *line, size_t size, const struct plan *plan,
                      struct trial_result *results, uint64_t *found)
{
    char *fields[PART_FIELDS], *next;
    const struct cell *cell;
    uint64_t trial;
    struct trial_result result;
    if (size <= CHECKSUM_DIGITS)
        return false;
    uint32_t checksum = row_checksum(line, size - CHECKSUM_DIGITS - 1);
    if (row_split(line, fields, PART_FIELDS, &next) != PART_FIELDS)
        return false;
    if (strlen(fields[PART_FIELDS - 1]) != CHECKSUM_DIGITS ||
        strtoul(fields[PART_FIELDS - 1], NULL, 16) != checksum)
        return false;
    if (!trial_row_parse(fields, plan, &cell, &trial, &result))
        return false;
    if (!measures_parse(fields[TRIAL_COLUMNS], &result)) {
        trial_result_release(&result);
        return false;
    }
    struct trial_result *slot = &results[cell->first_result + trial];
    *found += !slot->done;
    trial_result_release(slot);
    *slot = result;
    return true;
}

/* Takes the good rows; returns how many bytes of the file they are. */
static size_t part_take_all(struct text *text, size_t head, const struct plan *plan,
                            struct trial_result *results, uint64_t *found)
{
    size_t good = head;
    while (good < text->size) {
        char *line = text->data + good;
        char *end = memchr(line, '\n', text->size - good);
        if (!end)
            break;
        *end = '\0';
        if (!part_take(line, (size_t)(end - line), plan, results, found))
            break;
        good = (size_t)(end - text->data) + 1;
    }
    return good;
}

/* Empty file, or the head of this plan and good rows after it: *keep bytes stay. */
static enum status part_resume(struct part *part, const struct text *head, const struct plan *plan,
                               struct trial_result *results, uint64_t *found, size_t *keep,
                               struct error *err)
{
    struct text text;
    *keep = 0;
    enum status status = file_read(&text, part->path, err);
    if (status)
        return status;
    if (text.size < head->size) {
        /* A run that died while it wrote the head: nothing is lost by starting over. */
        if (memcmp(text.data, head->data, text.size) != 0)
            status = E_INPUT;
    } else if (memcmp(text.data, head->data, head->size) != 0) {
        status = E_INPUT;
    } else {
        *keep = part_take_all(&text, head->size, plan, results, found);
    }
    text_release(&text);
    if (status)
        return fail(
            err, E_INPUT,
            "%s belongs to another plan (the experiment, its seed or the program has changed): "
            "finish or remove it, or start over with --fresh",
            part->path);
    return OK;
}

/* Does the path still name the open file? A run that ends removes it while others may wait. */
static bool part_current(const struct part *part)
{
    struct stat opened, named;
    return fstat(part->file, &opened) == 0 && stat(part->path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Opens the file, made where there is none, and locks it: of two runs that write one folder the
 * second is refused. The lock ends with the process, whatever ends it. */
static enum status part_lock(struct part *part, struct error *err)
{
    for (;;) {
        part->file = open(part->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (part->file < 0)
            return fail(err, E_RUN, "cannot write %s: %s", part->path, strerror(errno));
        if (flock(part->file, LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK
                       ? fail(err, E_RUN, "%s is in use: another run writes to this folder",
                              part->path)
                       : fail(err, E_RUN, "cannot lock %s: %s", part->path, strerror(errno));
        if (part_current(part))
            return OK;
        close(part->file);
    }
}

enum status part_open(struct part **out, const char *directory, const struct plan *plan,
                      struct trial_result *results, uint64_t *found, bool fresh, struct error *err)
{
    struct text head = {0};
    size_t keep = 0;
    *found = 0;
    *out = NULL;
    struct part *part = calloc(1, sizeof *part);
    if (!part)
        return fail(err, E_RUN, "no memory for trials.part");
    part_head(&head, plan);
    enum status status = head.failed ? fail(err, E_RUN, "no memory") : OK;
    part->file = -1;
    if (!status)
        status = part_path(part->path, directory, err);
    if (!status)
        status = part_lock(part, err);
    if (!status && !fresh)
        status = part_resume(part, &head, plan, results, found, &keep, err);
    if (!status &&
        (ftruncate(part->file, (off_t)keep) != 0 || lseek(part->file, (off_t)keep, SEEK_SET) < 0))
        status = fail(err, E_RUN, "cannot cut %s: %s", part->path, strerror(errno));
    if (!status && keep == 0)
        text_add(&part->pending, head.data, head.size);
    text_release(&head);
    if (status) {
        part_close(part);
        return status;
    }
    *out = part;
    return OK;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

void part_trial(struct text *row, const struct plan *plan, const struct cell *cell, uint64_t trial,
                const struct trial_result *result)
{
    trial_row(row, plan, cell, trial, result);
    text_printf(row, ",");
    measures_format(row, result);
    uint32_t checksum = row->failed ? 0 : row_checksum(row->data, row->size);
    text_printf(row, ",%08" PRIx32, checksum);
    row_end(row);
}

void part_add(struct part *part, const struct text *row)
{
    if (row->failed)
        part->pending.failed = true;
    else
        text_add(&part->pending, row->data, row->size);
}

enum status part_flush(struct part *part, bool always_sync, struct error *err)
{
    struct timespec now;
    if (part->pending.failed)
        return fail(err, E_RUN, "no memory for finished trials");
    const char *data = part->pending.data;
    size_t left = part->pending.size;
    while (left) {
        ssize_t written = write(part->file, data, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(err, E_RUN, "cannot write %s: %s", part->path, strerror(errno));
        data += written;
        left -= (size_t)written;
        part->written_since_sync = true;
    }
    part->pending.size = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!part->written_since_sync || !(always_sync || now.tv_sec > part->synced.tv_sec))
        return OK;
    if (fsync(part->file) != 0)
        return fail(err, E_RUN, "cannot sync %s: %s", part->path, strerror(errno));
    part->synced = now;
    part->written_since_sync = false;
    return OK;
}

void part_close(struct part *part)
{
    if (!part)
        return;
    if (part->file >= 0)
        close(part->file);
    text_release(&part->pending);
    free(part);
}

enum status part_remove(const char *directory, struct error *err)
{
    char path[PATH_MAX];
    enum status status = part_path(path, directory, err);
    if (!status && unlink(path) != 0 && errno != ENOENT)
        status = fail(err, E_RUN, "cannot remove %s: %s", path, strerror(errno));
    return status;
}
