/* SPDX-License-Identifier: MIT
 *
 * machine.h: what the machine is in while times are taken: where the thread runs, how the clock
 * rate is governed, which pages memory gets, who else works.
 */
#ifndef BLOOMLAB_BENCH_MACHINE_H
#define BLOOMLAB_BENCH_MACHINE_H

#include <sched.h>
#include <stdbool.h>

#include "harness/provenance/provenance.h"

struct machine {
    cpu_set_t before;    /* where the thread might run */
    int cpu;             /* the one it is pinned to; -1: it could not be */
    unsigned processors; /* it might run on: at least 1 */
    double load[3];      /* average over 1, 5 and 15 minutes, when measuring began */
};

/* Pins the calling thread to the processor it runs on; machine_leave lets it go again, machine_pin
 * pins it anew. A machine that does not allow it is no error: cpu is -1. */
void machine_enter(struct machine *machine);
void machine_leave(const struct machine *machine);
bool machine_pin(const struct machine *machine); /* false: not pinned */

/* The facts for provenance.json; their texts point into *facts. */
enum { MACHINE_FACTS = 8, MACHINE_FACT_SIZE = 160 };
struct machine_facts {
    char text[MACHINE_FACTS][MACHINE_FACT_SIZE];
    struct provenance_fact fact[MACHINE_FACTS];
    unsigned count;
};
void machine_facts(struct machine_facts *facts, const struct machine *machine);

#endif
