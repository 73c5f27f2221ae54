/* SPDX-License-Identifier: MIT
 *
 * second_visit.c: a cache that keeps an object from its second visit on, as a Bloom filter tells
 * it; and what sets of all objects weigh.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/reduce.h"
#include "harness/claims/properties.h"
#include "harness/stream/add.h"
#include "harness/stream/exact.h"
#include "harness/stream/size.h"
#include "harness/stream/unit.h"
#include "harness/trial/trial.h"
#include "hashes/mix.h"

enum { VISITS = 400000, VISITS_OBJECTS_LOG = 20 };
static const double visits_rate = 0.01;

/* Object r is visited in proportion to 1/r, but for steps at powers of two; or all alike. */
enum visits_mix { VISITS_UNEVEN, VISITS_EVEN, VISITS_MIXES };

struct visits {
    struct digest_family family;
    struct stream_unit unit;
    struct layout layout;
    struct workspace space;
    struct filter filter;
    struct exact_set seen, kept; /* kept: by the cache behind the filter */
    uint64_t passed, hits;       /* passed: kept at the first visit; hits: behind the filter */
};

static enum status visits_open(struct visits *visits, struct error *err)
{
    visits->family = (struct digest_family){
        .family = FAMILY_SPLIT, .hash = hash_find("murmur3_x64_128"), .digest_bits = 64};
    struct stream_size size = {.ops = filter_find("classic"),
                               .capacity = VISITS,
                               .rate = visits_rate,
                               .family = visits->family};
    filter_params_defaults(&size.own, size.ops);
    enum status status = stream_size(&visits->layout, &size, err);
    if (!status)
        status = workspace_filter(&visits->space, &visits->filter, size.ops, &visits->layout, err);
    if (!status)
        status = unit_open(&visits->unit, &visits->family, visits->layout.columns, err);
    return status;
}

static void visits_release(struct visits *visits)
{
    unit_release(&visits->unit);
    workspace_release(&visits->space);
    exact_release(&visits->seen);
    exact_release(&visits->kept);
}

static uint64_t visits_object(enum visits_mix mix, uint64_t *state)
{
    uint64_t random = splitmix64(state);
    if (mix == VISITS_EVEN)
        return random >> (64 - VISITS_OBJECTS_LOG);
    uint64_t octave = UINT64_C(1) << multiply_high(random, VISITS_OBJECTS_LOG);
    return octave + (splitmix64(state) & (octave - 1));
}

static enum status visits_unit(struct visits *visits, struct error *err)
{
    struct stream_unit *unit = &visits->unit;
    uint64_t found;
    enum status status = unit_close(unit, err);
    if (!status)
        status = stream_add(&visits->filter, &found, unit->present,
                            unit_batch(unit, 0, unit->count), visits->space.scratch, err);
    for (size_t i = 0; !status && i < unit->count; i++) {
        size_t size;
        bool first, added = false;
        const unsigned char *id = key_at(&unit->keys, i, &size);
        status = exact_add(&visits->seen, &first, id, size, err);
        if (!status && unit->present[i])
            status = exact_add(&visits->kept, &added, id, size, err);
        visits->passed += unit->present[i] && first;
        visits->hits += unit->present[i] && !added;
    }
    unit_empty(unit);
    return status;
}

static enum status visits_all(struct visits *visits, enum visits_mix mix, struct error *err)
{
    enum status status = visits_open(visits, err);
    uint64_t state = 1;
    const size_t batch = stream_batch(&visits->layout);
    for (unsigned v = 0; !status && v < VISITS; v++) {
        char id[24];
        size_t size = (size_t)snprintf(id, sizeof id, "%" PRIu64, visits_object(mix, &state));
        status = unit_append_id(&visits->unit, (unsigned char *)id, size, err);
        if (!status && (visits->unit.count == batch || v == VISITS - 1))
            status = visits_unit(visits, err);
    }
    return status;
}

/* Fewer objects are kept; the second visit of each is no hit any more. */
static bool visits_tell(struct finding *finding, const struct visits *visits, enum visits_mix mix)
{
    double objects = (double)visits->seen.count, kept = (double)visits->kept.count;
    double plain = (VISITS - objects) / objects, behind = (double)visits->hits / kept;
    const char *name = mix == VISITS_EVEN ? "all visited alike" : "visited as 1/rank";
    char reading[FINDING_NAME_MAX];
    snprintf(reading, sizeof reading, "hits an object from the second visit on, %s", name);
    finding_aside(finding, reading, behind);
    snprintf(reading, sizeof reading, "hits an object, %s", name);
    finding_aside(finding, reading, plain);
    finding_say(finding,
                "%s%s: %.3g hits for each of %.0f objects kept, %.3g for each of %.0f when all "
                "are; %.3g of visits are hits, not %.3g",
                mix ? "; " : "", name, behind, kept, plain, objects, (double)visits->hits / VISITS,
                1 - objects / VISITS);
    return behind > plain;
}

enum status second_visit_cache(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err)
{
    bool better = true;
    enum status status = OK;
    (void)claim, (void)lab;
    for (enum visits_mix mix = 0; !status && mix < VISITS_MIXES; mix++) {
        struct visits *visits = calloc(1, sizeof *visits);
        if (!visits)
            return fail(err, E_RUN, "no memory for a stream of visits");
        status = visits_all(visits, mix, err);
        if (!status)
            better = visits_tell(finding, visits, mix) && better;
        visits_release(visits);
        free(visits);
    }
    finding_holds(finding, better, CLAIM_AMBIGUOUS);
    finding_how(finding,
                "%d visits to 2^%d objects, a cache that never forgets behind what bloomlab dedup "
                "--repeats --capacity %d --fpr 1%% writes: fewer objects a hit where few are "
                "visited often",
                VISITS, VISITS_OBJECTS_LOG, VISITS);
    return status;
}

/* ---- the set that is replaced ---------------------------------------------------------------- */

/* Bytes an id, of ids of 36 bytes, of this project's own exact set. */
static enum status set_bytes(double *bytes, struct error *err)
{
    enum { IDS = 1 << 18 };
    struct exact_set set = {0};
    enum status status = OK;
    for (uint32_t i = 0; !status && i < IDS; i++) {
        bool added;
        unsigned char id[36] = {0};
        for (int b = 0; b < 4; b++)
            id[b] = (unsigned char)(i >> 8 * b);
        status = exact_add(&set, &added, id, sizeof id, err);
    }
    *bytes = (double)exact_memory(&set) / IDS;
    exact_release(&set);
    return status;
}

/* Nobody says what the set holds. */
enum status second_visit_set(struct finding *finding, const struct claim *claim,
                             struct claim_lab *lab, struct error *err)
{
    const double claimed = claim->value[0], few = 1e8, many = 9e9;
    double bytes;
    (void)lab;
    enum status status = set_bytes(&bytes, err);
    if (status)
        return status;
    finding_aside(finding, "bytes an id of 36 bytes", bytes);
    finding_say(finding,
                "%.3g GB for 10^8 ids of 36 bytes, %.3g GB for 9 * 10^9 (%.3g bytes an id): 100 GB "
                "from %.2g ids on, with 64-bit hashes alone from %.2g: not for hundreds of "
                "millions",
                few * bytes / 1e9, many * bytes / 1e9, bytes, claimed / bytes, claimed / 8);
    finding_holds(finding, few * bytes >= claimed, CLAIM_AMBIGUOUS);
    finding_how(finding, "memory of the exact set of dedup --verify with 2^18 ids");
    return OK;
}

/* Nobody says what is in the table: a hash of the element, or the element. */
enum status second_visit_table(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err)
{
    const double n = 1e8, hash_bytes = 8, string_bytes = 100;
    (void)claim, (void)lab, (void)err;
    finding_aside(finding, "GB with 8-byte hashes alone", n * hash_bytes / 1e9);
    finding_aside(finding, "GB with strings of 100 bytes", n * string_bytes / 1e9);
    finding_holds(finding, hash_bytes == string_bytes, CLAIM_AMBIGUOUS);
    finding_how(finding, "10^8 keys times 8 and times 100 bytes, without pointers and free slots: "
                         "an order of magnitude");
    return OK;
}
