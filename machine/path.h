/* SPDX-License-Identifier: MIT
 *
 * path.h: which instructions the loops of the filters and of the hashes may use.
 *
 * A variant's insert and query exist once in portable C, the reference, and again for wider
 * vectors; all of them leave the same bits and give the same answers. A batch takes the widest path
 * the machine has, up to a ceiling of the whole process: tests and benchmarks lower it to compare
 * the paths, users by the environment variable BLOOMLAB_PATH (a name below).
 *
 *   portable  C alone
 *   avx2      256-bit vectors, gathers (x86-64 of 2013)
 *   avx512    512-bit vectors: F, BW, DQ, VL, VBMI, VBMI2 and VPOPCNTDQ (x86-64 of 2019)
 *
 * Kernels are compiled for their path by an attribute of the function: a build for the plainest
 * machine has all of them, and PATH_HAVE_X86 says whether the compiler's machine is one that can.
 */
#ifndef BLOOMLAB_MACHINE_PATH_H
#define BLOOMLAB_MACHINE_PATH_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define PATH_HAVE_X86 1
#define PATH_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define PATH_TARGET_AVX512                                                                         \
    __attribute__((target(                                                                         \
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx2,bmi,bmi2," \
        "lzcnt,popcnt")))
#else
#define PATH_HAVE_X86 0
#endif

enum filter_path { PATH_PORTABLE, PATH_AVX2, PATH_AVX512 };
enum { PATH_COUNT = PATH_AVX512 + 1 };

const char *path_name(enum filter_path path);
bool path_find(const char *name, enum filter_path *path);

/* The widest path of this machine. */
enum filter_path path_machine(void);

/* The path that batches take now: the machine's, or the ceiling if that is lower. Safe from several
 * threads. */
enum filter_path path_current(void);

/* Sets the ceiling, for the whole process, from the next batch on; PATH_AVX512 lifts it. Before the
 * first call it is what BLOOMLAB_PATH names; a name that is none of them means no ceiling. */
void path_limit(enum filter_path ceiling);

#endif
