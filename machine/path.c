/* SPDX-License-Identifier: MIT */
#include "machine/path.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const path_names[PATH_COUNT] = {
    [PATH_PORTABLE] = "portable",
    [PATH_AVX2] = "avx2",
    [PATH_AVX512] = "avx512",
};

enum { PATH_UNSET = -1 };

static _Atomic int path_chosen = PATH_UNSET; /* what path_current answers, once it is known */

const char *path_name(enum filter_path path)
{
    return path_names[path];
}

bool path_find(const char *name, enum filter_path *path)
{
    for (int i = 0; i < PATH_COUNT; i++)
        if (strcmp(name, path_names[i]) == 0)
            return *path = (enum filter_path)i, true;
    return false;
}

enum filter_path path_machine(void)
{
#if PATH_HAVE_X86
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
        return PATH_AVX512;
    if (avx2)
        return PATH_AVX2;
#endif
    return PATH_PORTABLE;
}

void path_limit(enum filter_path ceiling)
{
    enum filter_path machine = path_machine();
    int chosen = (int)(ceiling < machine ? ceiling : machine);
    atomic_store_explicit(&path_chosen, chosen, memory_order_relaxed);
}

enum filter_path path_current(void)
{
    int path = atomic_load_explicit(&path_chosen, memory_order_relaxed);
    if (path != PATH_UNSET)
        return (enum filter_path)path;
    enum filter_path ceiling = PATH_AVX512;
    const char *name = getenv("BLOOMLAB_PATH");
    if (name && !path_find(name, &ceiling))
        ceiling = PATH_AVX512;
    path_limit(ceiling);
    return path_current();
}
