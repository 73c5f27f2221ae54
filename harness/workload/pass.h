/* SPDX-License-Identifier: MIT
 *
 * pass.h: what trials are made of, whatever the workload: going over keys with a filter, batch by
 * batch, and looking at the filter afterwards.
 *
 * Keys are first .. end - 1 of a source. A digest, where one is given, takes in every key in the
 * order in which they are passed.
 */
#ifndef BLOOMLAB_WORKLOAD_PASS_H
#define BLOOMLAB_WORKLOAD_PASS_H

#include <xxhash.h>

#include "harness/trial/trial.h"
#include "harness/workload/collision.h"

/* A running digest of keys that does not depend on how they were cut into batches. */
struct key_digest {
    XXH3_state_t *bytes, *lengths;
};

enum status key_digest_open(struct key_digest *digest, struct error *err);
void key_digest_add(struct key_digest *digest, const struct key_batch *keys);
uint64_t key_digest_close(struct key_digest *digest); /* frees it, also one that failed to open */

/* A further filter of the cell's layout over `memory`, aligned as it asks for, empty; not of a
 * variant that grows. */
struct filter pass_filter(const struct cell *cell, unsigned char *memory);

/* The batch that starts at key `first` and ends before `end`. */
struct digests *pass_batch(struct digest_source *keys, const struct layout *layout, uint64_t first,
                           uint64_t end);

enum status pass_insert(struct filter *filter, struct digest_source *keys, uint64_t first,
                        uint64_t end, struct key_digest *digest, void *scratch, struct error *err);

enum { PASS_THREADS_MAX = 256 };

/* pass_insert by several threads, which it starts and ends itself: the filter's memory and counts,
 * and the digest, are those of one thread, bit for bit. Thread i, i < threads <= PASS_THREADS_MAX,
 * reads keys[i]: sources of the same keys, each of its own memory, whose batches hold FILTER_BATCH
 * keys. The filter's variant has scatter and settle. E_RUN: no memory; nothing is inserted then. */
enum status pass_insert_threads(struct filter *filter, struct digest_source *const *keys,
                                unsigned threads, uint64_t first, uint64_t end,
                                struct key_digest *digest, struct error *err);

/* pass_query by several threads, or by one, where pass_count_pays: *found is how many are found;
 * which they are is not told. The variant has scatter and census. Keys, threads, errors as above.
 */
enum status pass_count_threads(uint64_t *found, const struct filter *filter,
                               struct digest_source *const *keys, unsigned threads, uint64_t first,
                               uint64_t end, struct key_digest *digest, struct error *err);

/* Bytes either takes for itself while that many keys pass: of a large filter half the filter's own,
 * else some 14 MB a thread. */
uint64_t pass_threads_bytes(const struct layout *layout, uint64_t keys, unsigned threads);

/* Is counting by regions sooner than asking key by key? Measured with one thread, 64-bit keys
 * hashed: split_block and blocked at 64 MiB 4.5 ns a key against 6.9, at 256 MiB 4.7 against 7.6;
 * nothing is won where fewer keys than one for each line of the filter pass, or where the filter is
 * in the cache. */
bool pass_count_pays(const struct filter *filter, uint64_t keys);

/* Sources for several threads: reader[0] is the one given, the others read the same keys. */
struct pass_readers {
    struct digest_source *reader[PASS_THREADS_MAX], *twins;
    unsigned count;
};

/* threads <= PASS_THREADS_MAX; batches of the twins hold FILTER_BATCH keys, or the layout's. E_RUN:
 * no memory. To be released in either case. */
enum status pass_readers_open(struct pass_readers *readers, struct digest_source *keys,
                              unsigned threads, const struct layout *layout, struct error *err);
void pass_readers_release(struct pass_readers *readers);

/* How many are found. digest, suspects: may be NULL. */
uint64_t pass_query(const struct filter *filter, struct digest_source *keys, uint64_t first,
                    uint64_t end, struct key_digest *digest, struct suspects *suspects,
                    void *scratch);

/* pass_query by as many threads as there are readers, which it starts and ends itself. E_RUN: no
 * memory. */
enum status pass_query_threads(uint64_t *found, const struct filter *filter,
                               const struct pass_readers *readers, uint64_t first, uint64_t end,
                               struct key_digest *digest, struct error *err);

/* How many are removed; the filter's variant can. */
uint64_t pass_remove(struct filter *filter, struct digest_source *keys, uint64_t first,
                     uint64_t end, void *scratch);

/* bits_set, fpr_bits, fpr_scheme, memory_bytes, bits_digest. */
enum status pass_look(struct trial_result *result, const struct filter *filter, struct error *err);

/* The measures every filter has. */
enum status pass_measures(struct trial_result *result, const struct filter *filter,
                          struct error *err);

#endif
