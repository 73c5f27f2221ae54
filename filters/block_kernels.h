/* SPDX-License-Identifier: MIT
 *
 * block_kernels.h: the loops of the two blocked variants for vectors (path.h), eight keys at a time
 * or one. They give the answers and leave the bits of the portable loops of blocked.c and
 * split_block.c, which do the keys that are left over.
 */
#ifndef BLOOMLAB_BLOCK_KERNELS_H
#define BLOOMLAB_BLOCK_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/path.h"

/* A batch whose blocks are known. */
struct block_batch {
    unsigned char *memory;
    const uint64_t *digest; /* joined */
    const uint64_t *start;  /* first byte of each key's block; far: BLOCK_AHEAD more than count */
    size_t count;
    uint64_t *hits;      /* answer.h; all 0 before */
    unsigned k;          /* blocked only */
    unsigned block_bits; /* blocked: 2^6 .. 2^12; split_block: 256 or 512 */
    bool far;            /* prefetch */
};

/* Works on the first keys of the batch and returns how many; the others are as before. */
typedef size_t block_kernel(const struct block_batch *batch);

#if PATH_HAVE_X86
block_kernel split_block_query_avx2, split_block_insert_avx2;
block_kernel split_block_query_avx512, split_block_insert_avx512;
block_kernel blocked_query_avx2, blocked_insert_avx2;
block_kernel blocked_query_avx512, blocked_insert_avx512;
#define BLOCK_KERNELS(name)                                                                        \
    {                                                                                              \
        [PATH_AVX2] = name##_avx2, [PATH_AVX512] = name##_avx512                                   \
    }
#else
#define BLOCK_KERNELS(name)                                                                        \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* Runs the kernel of the current path; 0 where there is none. */
static inline size_t block_kernel_run(block_kernel *const kernels[PATH_COUNT],
                                      const struct block_batch *batch)
{
    block_kernel *kernel = kernels[path_current()];
    return kernel ? kernel(batch) : 0;
}

#endif
