/* SPDX-License-Identifier: MIT */
#include "harness/bench/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/counters.h"
#include "machine/path.h"

void machine_enter(struct machine *machine)
{
    *machine = (struct machine){.cpu = -1, .processors = 1};
    if (getloadavg(machine->load, 3) != 3)
        machine->load[0] = machine->load[1] = machine->load[2] = -1;
    int cpu = sched_getcpu();
    if (sched_getaffinity(0, sizeof machine->before, &machine->before) != 0)
        return;
    machine->processors = (unsigned)CPU_COUNT(&machine->before);
    machine->cpu = cpu;
    if (!machine_pin(machine))
        machine->cpu = -1;
}

bool machine_pin(const struct machine *machine)
{
    cpu_set_t one;
    if (machine->cpu < 0)
        return false;
    CPU_ZERO(&one);
    CPU_SET((size_t)machine->cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

void machine_leave(const struct machine *machine)
{
    if (machine->cpu >= 0)
        sched_setaffinity(0, sizeof machine->before, &machine->before);
}

/* The first line of a file of the system; "unknown" where there is none. */
static void fact_file(char *text, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, MACHINE_FACT_SIZE, file))
        snprintf(text, MACHINE_FACT_SIZE, "unknown");
    text[strcspn(text, "\n")] = '\0';
    if (file)
        fclose(file);
}

static char *fact_add(struct machine_facts *facts, const char *key)
{
    char *text = facts->text[facts->count];
    facts->fact[facts->count++] = (struct provenance_fact){key, text};
    return text;
}

static void fact_counters(char *text)
{
    static const char *const names[COUNTER_COUNT] = {"cycles", "instructions", "cache misses",
                                                     "branch misses"};
    struct counters counters;
    size_t size = 0;
    counters_open(&counters);
    for (int e = 0; e < COUNTER_COUNT; e++)
        if (counters.file[e] >= 0)
            size += (size_t)snprintf(text + size, MACHINE_FACT_SIZE - size, "%s%s",
                                     size ? ", " : "", names[e]);
    if (size == 0)
        snprintf(text, MACHINE_FACT_SIZE, "none: perf_event_open is refused");
    counters_close(&counters);
}

void machine_facts(struct machine_facts *facts, const struct machine *machine)
{
    char path[80];
    int cpu = machine->cpu < 0 ? 0 : machine->cpu;
    facts->count = 0;
    snprintf(fact_add(facts, "pinned_cpu"), MACHINE_FACT_SIZE,
             machine->cpu < 0 ? "not pinned" : "%d", machine->cpu);
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
    fact_file(fact_add(facts, "governor"), path);
    fact_file(fact_add(facts, "clock_source"),
              "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    fact_file(fact_add(facts, "huge_pages"), "/sys/kernel/mm/transparent_hugepage/enabled");
    snprintf(fact_add(facts, "load_average"), MACHINE_FACT_SIZE, "%.2f %.2f %.2f", machine->load[0],
             machine->load[1], machine->load[2]);
    snprintf(fact_add(facts, "widest_path"), MACHINE_FACT_SIZE, "%s", path_name(path_machine()));
    fact_counters(fact_add(facts, "performance_counters"));
}
