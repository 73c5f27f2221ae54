/* SPDX-License-Identifier: MIT
 *
 * filter.h: what a filter variant is to the rest of the project.
 *
 * A variant is one .c file that defines one const struct filter_ops named filter_NAME, and one line
 * in list.h. It sees digests (digests.h), never keys or hashes. Its life:
 *
 *     plan(params) -> layout         pure: sizes, columns, scratch; nothing is allocated
 *     caller provides memory[layout.bytes], aligned, and for a growing filter an arena
 *     init, insert, query, ...       on batches of digests; no indirect call per key
 *
 * There is nothing to destroy: all memory is the caller's, and everything that belongs to a run
 * stands in struct filter, nothing in the const struct.
 *
 * Arguments come in this order: the object, outputs, inputs, scratch, the error.
 */
#ifndef BLOOMLAB_FILTER_H
#define BLOOMLAB_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/digests.h"
#include "filters/params.h"
#include "filters/reduce.h"
#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* Bounds every variant may rely on: k * n and sums of sizes fit 64 bits, m is exact in a double. */
#define FILTER_M_MAX (UINT64_C(1) << 48)
#define FILTER_N_MAX (UINT64_C(1) << 48)
enum { FILTER_K_MAX = 256, FILTER_PARAMS_MAX = PARAMS_MAX, FILTER_GEOMETRY_MAX = 8 };

/* ---- parameters ---------------------------------------------------------------------------- */

struct filter_params {
    uint64_t m; /* positions asked for; 0 when the variant does not use the axis */
    uint64_t n; /* keys it is planned for: the capacity, and what bytes_max is told for */
    unsigned k; /* probes per key; 0 when the variant does not use the axis */
    enum reduction reduction;
    unsigned digest_bits;                      /* width of the digests it will be given: 8 .. 64 */
    unsigned digest_columns;                   /* how many columns there are to be had */
    struct param_value own[FILTER_PARAMS_MAX]; /* in the order of ops->params */
};

/* ---- the plan ------------------------------------------------------------------------------ */

struct layout {
    struct filter_params params;
    uint64_t m;     /* m_actual: positions really used (growing filters: after n keys) */
    unsigned k;     /* probes per key; 0 where one number would mislead (growing, hyperloglog) */
    uint64_t bytes; /* memory the caller provides before init */
    uint64_t bytes_max;     /* that and what the arena gives until n keys are in */
    size_t alignment;       /* of memory: a power of two, 64 as a rule */
    unsigned columns;       /* digest columns it will ask for: 0 .. params.digest_columns */
    size_t batch;           /* keys it likes in a batch; never more are given */
    size_t scratch_bytes;   /* of scratch per thread, aligned to 64 */
    struct reducer reducer; /* of the range the variant reduces to: m, a slice, the blocks */
    uint64_t geometry[FILTER_GEOMETRY_MAX]; /* the variant's own; named in its .c file */
};

enum { FILTER_BATCH = 512 }; /* of most variants: digests and survivors of a batch stay in L1 */

/* ---- one filter ---------------------------------------------------------------------------- */

/* Where a growing filter takes memory: a bump allocator over the caller's block. */
struct arena {
    unsigned char *base; /* aligned to 64, zeroed */
    uint64_t bytes, used;
};

/* What arena_take uses up for `bytes` bytes: rounded up to 64. bytes <= 2^63. */
static inline uint64_t arena_bytes(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* The next `bytes` bytes, zeroed, aligned to 64; NULL when they are not there. */
unsigned char *arena_take(struct arena *arena, uint64_t bytes);

struct filter {
    const struct filter_ops *ops;
    const struct layout *layout;
    unsigned char *memory; /* layout->bytes bytes; init writes all of them */
    struct arena *arena;   /* growing variants only, else NULL */
    uint64_t inserted;     /* keys inserted less keys removed, kept by the variant */
    uint64_t overflows;    /* increments of a saturated counter */
    uint64_t refused;      /* removals of absent keys refused */
    uint64_t degenerate;   /* inserted keys that repeat positions because of their step */
};

enum merge_op { MERGE_UNION, MERGE_INTERSECTION };

/* A named number for measures.csv, besides what every filter has. */
struct measure {
    const char *name;
    double value;
};

/* ---- the variant --------------------------------------------------------------------------- */

/* Axes of a grid that a variant uses; an unused axis collapses to one cell and stays empty. */
enum filter_axis {
    AXIS_M = 1 << 0,
    AXIS_K = 1 << 1,
    AXIS_REDUCTION = 1 << 2,
    AXIS_HASH = 1 << 3, /* hash, family, digest_bits */
};
enum { AXES_ALL = AXIS_M | AXIS_K | AXIS_REDUCTION | AXIS_HASH };

enum filter_capability {
    CAN_GROW = 1 << 0,   /* takes from an arena */
    CAN_REMOVE = 1 << 1, /* remove is there */
    CAN_MERGE_UNION = 1 << 2,
    CAN_MERGE_INTERSECTION = 1 << 3,
    CAN_ESTIMATE_CARDINALITY = 1 << 4,
    CAN_ANSWER_MEMBERSHIP = 1 << 5, /* query tells members from non-members (not hyperloglog) */
    FILLS_BY_THROWS = 1 << 6, /* X is the occupancy of kn independent throws into m: exact law */
};

struct regions;

struct filter_ops {
    const char *name;
    const char *summary;
    const char *source;              /* paper, year */
    const struct param_spec *params; /* NULL: none of its own */
    unsigned axes;                   /* enum filter_axis, or-ed */
    unsigned capabilities;           /* enum filter_capability, or-ed */

    /* Checks and sizes. params->own is already inside the bounds of its specs; axes in use are
     * inside 1 .. FILTER_*_MAX. E_IMPOSSIBLE: values that cannot go together. Fills all of *layout.
     */
    enum status (*plan)(struct layout *layout, const struct filter_params *params,
                        struct error *err);

    void (*init)(struct filter *f);

    /* Adds the batch. E_RUN: the arena has no room for the next slice. */
    enum status (*insert)(struct filter *f, struct digests *batch, void *scratch,
                          struct error *err);

    /* ---- insertion in two steps (regions.h); both or neither ---- */

    /* Puts what the keys of the batch, at most FILTER_BATCH, do to the memory to the queues of its
     * regions, at most max(1, layout->k) entries a key, and counts what insert counts of a key
     * alone (inserted, degenerate). Neither reads nor writes the memory. */
    void (*scatter)(struct filter *f, struct regions *queues, struct digests *batch, void *scratch);

    /* Does what `count` <= FILTER_BATCH entries of one region say, and writes nowhere else; counts
     * what insert counts of a place (overflows). near: the region is in the cache. Once all regions
     * are settled, in whatever order, memory and counts are those that insert leaves. Safe from
     * several threads at different regions, each with its own scratch and its own copy of *f, whose
     * counts add up. */
    void (*settle)(struct filter *f, const uint64_t *entry, size_t count, bool near, void *scratch);

    /* Of a variant whose keys leave one entry each: how many of the entries' keys are (probably)
     * present. NULL: of others. */
    uint64_t (*census)(const struct filter *f, const uint64_t *entry, size_t count, bool near,
                       void *scratch);

    /* ---- one step ---- */

    /* Adds the keys of the batch one after the other, as a stream of first and repeated keys needs
     * it: present[i] = 1 when key i was found just before it was added, whether earlier batches or
     * earlier keys of this one set its positions, else 0. *found: how many were. At most
     * FILTER_BATCH keys, whatever layout.batch is. Leaves the same bits as insert. E_RUN as insert.
     * NULL: the caller asks and inserts key by key. */
    enum status (*add)(struct filter *f, uint64_t *found, uint8_t *present, struct digests *batch,
                       void *scratch, struct error *err);

    /* How many keys of the batch are (probably) present; present[i] = 1 or 0 when not NULL. Safe
     * from several threads, each with its own scratch and digests. */
    uint64_t (*query)(const struct filter *f, uint8_t *present, struct digests *batch,
                      void *scratch);

    /* The same answer as a list: which[0 .. hits) are the keys of the batch that are present,
     * ascending; which has room for batch->count. NULL: ask filter_match. */
    uint64_t (*match)(const struct filter *f, uint32_t *which, struct digests *batch,
                      void *scratch);

    /* Removes the keys of the batch, one after the other; an absent one is refused and changes
     * nothing. How many were removed; removed[i] = 1 or 0 when not NULL. */
    uint64_t (*remove)(struct filter *f, uint8_t *removed, struct digests *batch, void *scratch);

    uint64_t (*count_bits)(
        const struct filter *f); /* X: set bits, non-zero counters or registers */

    double (*fpr_bits)(const struct filter *f); /* the plain bit-count estimate (X/m)^k */

    /* Probability that a fresh key with ideal digests hits this very filter, under the variant's
     * own probing law; with a standard error where it had to be sampled (STATISTICS: fpr_scheme).
     */
    struct estimate (*fpr_scheme)(const struct filter *f);

    /* Theory, for n keys in a filter of this layout: filters/theory/model.h. NULL: none. */
    void (*expected_fpr)(const struct layout *layout, uint64_t n, struct model *model);
    void (*expected_fill)(const struct layout *layout, uint64_t n, struct moments *moments);

    /* P(a key shares a position with at least one of `others` further keys): what clearing its bits
     * costs them (filters/theory/deletion.h). NaN where nobody knows; NULL: never known. */
    double (*expected_overlap)(const struct layout *layout, double others);

    /* The i-th further formula that applies (Poisson mixture, overflow bounds, ...); false past the
     * last. The names fpr_standard, fpr_bloom and fpr_exact replace the classic filter's. */
    bool (*formula)(const struct layout *layout, uint64_t n, unsigned i, struct formula *formula);

    double (*cardinality)(const struct filter *f); /* distinct keys; INFINITY when saturated */

    /* Its mean and variance for n keys, to first order, where expected_fill says *fill; NaN where a
     * typical filter is saturated. NULL: no theory of it. */
    void (*expected_cardinality)(const struct layout *layout, uint64_t n,
                                 const struct moments *fill, struct moments *moments);

    /* a := a op b. E_INPUT, both untouched: layouts differ. Hashes and seeds are the caller's care.
     */
    enum status (*merge)(struct filter *a, const struct filter *b, enum merge_op op,
                         struct error *err);

    bool (*measure)(const struct filter *f, unsigned i, struct measure *measure);

    /* ---- single probes; all three or none: variants with k positions in one array -------------
     */

    /* Where the keys of the batch are looked for: probe i of key j at position[i * layout->batch +
     * j], i < layout->k. Asks for every column of every key. */
    void (*probes)(const struct filter *f, uint64_t *position, struct digests *batch,
                   void *scratch);

    /* Is a position set? A key is present when all its positions are. */
    bool (*test)(const struct filter *f, uint64_t position);

    /* Probabilities that probes of a fresh key with ideal digests hit this very filter: probe i
     * alone, single[i]; probes i and j both, pair[i * k + j] for i < j < k (pair may be NULL). */
    void (*probe_rates)(const struct filter *f, double *single, double *pair);
};

/* ops->match, or its answer by way of ops->query, which must be there. */
uint64_t filter_match(const struct filter *f, uint32_t *which, struct digests *batch,
                      void *scratch);

/* The table, in report order: list.h. */
extern const struct filter_ops *const filter_table[];
extern const size_t filter_count;

const struct filter_ops *filter_find(const char *name); /* NULL: there is none of that name */

/* Fills params->own with the defaults of the variant. */
void filter_params_defaults(struct filter_params *params, const struct filter_ops *ops);

/* Reads one own parameter from text, checks its type and bounds, stores it. E_INPUT: a sentence
 * that names the variant, the value and the bound. */
enum status filter_params_set(struct filter_params *params, const struct filter_ops *ops,
                              const char *name, const char *value, struct error *err);

/* Writes "name=value;name=value", sorted by name, defaults written out; "" when there are none. */
void filter_params_format(const struct filter_params *params, const struct filter_ops *ops,
                          char *text, size_t size);

/* Checks one entry of the table: names, required functions, capabilities that match them. */
enum status filter_ops_check(const struct filter_ops *ops, struct error *err);

#endif
