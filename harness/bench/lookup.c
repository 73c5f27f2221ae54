/* SPDX-License-Identifier: MIT
 *
 * lookup.c: from a table of times to times at any size.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/bench/advise.h"

/* Which rows are looked at: the first operation of these that the table has. */
static const enum operation lookup_operations[] = {OPERATION_QUERY_LIST, OPERATION_QUERY_BYTES,
                                                   OPERATION_QUERY_COUNT};

/* 0 is best; -1: not a lookup of absent keys. A row without a hit ratio is taken for one. */
static int lookup_rank(const struct timing *row)
{
    int operation = 0;
    while (operation < 3 &&
           strcmp(row->operation, operation_name(lookup_operations[operation])) != 0)
        operation++;
    if (operation == 3 || row->hit_ratio > 0 || !(row->ns.median >= 0))
        return -1;
    return 2 * operation + (strcmp(row->digests, "computed") != 0);
}

static unsigned lookup_k(const struct timing *row, const struct filter_ops *ops)
{
    if (row->k || !(ops->axes & AXIS_K) || !(row->bits_per_key > 0))
        return row->k;
    double n = row->n ? (double)row->n : 8 * (double)row->bytes / row->bits_per_key;
    if (n < 1)
        return 1;
    return theory_best_k((uint64_t)ceil(n * row->bits_per_key), (uint64_t)n, FILTER_K_MAX);
}

static struct lookup *lookups_find(struct lookups *lookups, const struct timing *row, unsigned k)
{
    for (size_t l = 0; l < lookups->count; l++) {
        struct lookup *lookup = &lookups->lookup[l];
        if (lookup->k == k && strcmp(lookup->row->filter, row->filter) == 0 &&
            strcmp(lookup->row->params, row->params) == 0)
            return lookup;
    }
    struct lookup *lookup = &lookups->lookup[lookups->count++];
    *lookup = (struct lookup){.row = row, .k = k};
    return lookup;
}

/* Puts the point in its place; of two of one size the faster stays. False: no room. */
static bool lookup_add(struct lookup *lookup, double bytes, double ns)
{
    unsigned at = 0;
    while (at < lookup->count && lookup->bytes[at] < bytes)
        at++;
    if (at < lookup->count && lookup->bytes[at] == bytes) {
        lookup->ns[at] = fmin(lookup->ns[at], ns);
        return true;
    }
    if (lookup->count == LOOKUP_POINTS_MAX)
        return false;
    memmove(&lookup->bytes[at + 1], &lookup->bytes[at],
            (lookup->count - at) * sizeof lookup->bytes[0]);
    memmove(&lookup->ns[at + 1], &lookup->ns[at], (lookup->count - at) * sizeof lookup->ns[0]);
    lookup->bytes[at] = bytes;
    lookup->ns[at] = ns;
    lookup->count++;
    return true;
}

static enum status lookups_take(struct lookups *lookups, const struct timing *row,
                                struct error *err)
{
    const struct filter_ops *ops = filter_find(row->filter);
    if (!ops || !(ops->capabilities & CAN_ANSWER_MEMBERSHIP))
        return fail(err, E_INPUT, "the timings name a filter '%.40s' that %s", row->filter,
                    ops ? "answers no membership queries" : "is not there");
    unsigned k = lookup_k(row, ops);
    if (ops->axes & AXIS_K && (k < 1 || k > FILTER_K_MAX))
        return fail(err, E_INPUT, "the timings of %s have k = %u; it must be between 1 and %d%s",
                    row->filter, k, FILTER_K_MAX, k ? "" : ", or follow from bits_per_key");
    memcpy(lookups->operation, row->operation, sizeof lookups->operation);
    memcpy(lookups->digests, row->digests, sizeof lookups->digests);
    if (!lookup_add(lookups_find(lookups, row, k), (double)row->bytes, row->ns.median))
        return fail(err, E_INPUT, "the timings of %s with k = %u have more than %d sizes",
                    row->filter, k, LOOKUP_POINTS_MAX);
    return OK;
}

enum status lookups_open(struct lookups *lookups, const struct timings *timings, struct error *err)
{
    int best = -1;
    *lookups = (struct lookups){0};
    for (size_t r = 0; r < timings->count; r++) {
        int rank = lookup_rank(&timings->row[r]);
        if (rank >= 0 && (best < 0 || rank < best))
            best = rank;
    }
    if (best < 0)
        return fail(
            err, E_INPUT,
            "none of %zu timings is a query_list, query_bytes or query_count at hit ratio 0",
            timings->count);
    lookups->lookup = malloc(timings->count * sizeof *lookups->lookup);
    if (!lookups->lookup)
        return fail(err, E_RUN, "no memory for %zu timings", timings->count);
    enum status status = OK;
    for (size_t r = 0; !status && r < timings->count; r++)
        if (lookup_rank(&timings->row[r]) == best)
            status = lookups_take(lookups, &timings->row[r], err);
    return status;
}

void lookups_release(struct lookups *lookups)
{
    free(lookups->lookup);
    *lookups = (struct lookups){0};
}

/* Between the measured sizes; the nearest beyond them. */
static double lookup_within(const struct lookup *lookup, double bytes)
{
    unsigned last = lookup->count - 1, i = 0;
    if (bytes <= lookup->bytes[0])
        return lookup->ns[0];
    if (bytes >= lookup->bytes[last])
        return lookup->ns[last];
    while (lookup->bytes[i + 1] < bytes)
        i++;
    double low = fmax(lookup->bytes[i], 1);
    double share = log(bytes / low) / log(lookup->bytes[i + 1] / low);
    return lookup->ns[i] + share * (lookup->ns[i + 1] - lookup->ns[i]);
}

/* The k of the variant that was measured over the widest range of sizes. */
static const struct lookup *lookup_widest(const struct lookups *lookups,
                                          const struct lookup *lookup)
{
    const struct lookup *widest = lookup;
    for (size_t l = 0; l < lookups->count; l++) {
        const struct lookup *other = &lookups->lookup[l];
        if (strcmp(other->row->filter, lookup->row->filter) != 0 ||
            strcmp(other->row->params, lookup->row->params) != 0)
            continue;
        if (other->bytes[other->count - 1] * fmax(widest->bytes[0], 1) >
            widest->bytes[widest->count - 1] * fmax(other->bytes[0], 1))
            widest = other;
    }
    return widest;
}

double lookup_ns(const struct lookups *lookups, const struct lookup *lookup, double bytes)
{
    double first = lookup->bytes[0], last = lookup->bytes[lookup->count - 1];
    double ns = lookup_within(lookup, bytes);
    if (bytes >= first && bytes <= last)
        return ns;
    const struct lookup *widest = lookup_widest(lookups, lookup);
    double end = lookup_within(widest, bytes < first ? first : last);
    return end > 0 ? ns * lookup_within(widest, bytes) / end : ns;
}
