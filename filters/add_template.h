/* SPDX-License-Identifier: MIT
 *
 * add_template.h: `add` of a variant that spends one digest per probe, as a template; what
 * loops_template.h is to insert and query.
 *
 * Define before including, undefined again at the end:
 *   ADD_NAME     prefix; makes NAME_add with the contract of filter.h
 *   ADD_RANGE    uint64_t f(const struct layout *, unsigned column): first position of probe
 *                `column`
 *   ADD_SET      bool f(struct filter *, uint64_t position): sets it; was it set before?
 *   ADD_ADDRESS  const void *f(const unsigned char *memory, uint64_t position): what to prefetch
 *
 * The variant's plan sets columns = k and scratch_bytes = add_scratch_bytes(own, k).
 */
#include "filters/add.h"
#include "filters/loops.h"

#define ADD_PASTE2(a, b) a##b
#define ADD_PASTE(a, b) ADD_PASTE2(a, b)
#define ADD_FUNCTION(suffix) ADD_PASTE(ADD_NAME, suffix)

static inline __attribute__((always_inline)) void
ADD_FUNCTION(_add_positions)(const struct filter *f, enum reduction kind, struct digests *batch,
                             uint64_t *position)
{
    const struct layout *layout = f->layout;
    const struct reducer reducer = layout->reducer;
    for (unsigned column = 0; column < layout->k; column++, position += FILTER_BATCH) {
        const uint64_t *digest = digests_column(batch, column, NULL, batch->count, position);
        uint64_t first = ADD_RANGE(layout, column);
        for (size_t i = 0; i < batch->count; i++)
            position[i] = first + reduce_as(kind, &reducer, digest[i]);
    }
}

static enum status ADD_FUNCTION(_add)(struct filter *f, uint64_t *found, uint8_t *present,
                                      struct digests *batch, void *scratch, struct error *err)
{
    (void)err;
    uint64_t *position = add_positions(f->layout, scratch);
    const bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
    switch (f->layout->reducer.kind) {
    case REDUCE_MOD:
        ADD_FUNCTION(_add_positions)(f, REDUCE_MOD, batch, position);
        break;
    case REDUCE_MASK:
        ADD_FUNCTION(_add_positions)(f, REDUCE_MASK, batch, position);
        break;
    case REDUCE_MULTIPLY_SHIFT:
        ADD_FUNCTION(_add_positions)(f, REDUCE_MULTIPLY_SHIFT, batch, position);
        break;
    }
    *found = add_keys_with(ADD_SET, ADD_ADDRESS, far, f, present, position, batch->count);
    return OK;
}

#undef ADD_NAME
#undef ADD_RANGE
#undef ADD_SET
#undef ADD_ADDRESS
#undef ADD_PASTE2
#undef ADD_PASTE
#undef ADD_FUNCTION
