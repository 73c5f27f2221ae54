/* SPDX-License-Identifier: MIT
 *
 * names.c: the nearest known name, by the optimal string alignment distance (F. Damerau, "A
 * technique for computer detection and correction of spelling errors", CACM 7(3), 1964).
 */
#include "harness/experiment/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/experiment/values.h"

enum { NAMES_LENGTH_MAX = 40 }; /* a longer name is not compared */

void names_add(struct names *names, const char *name)
{
    if (names->count < NAMES_MAX)
        names->name[names->count++] = name;
}

static unsigned names_least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned names_distance(const char *a, const char *b)
{
    unsigned row[3][NAMES_LENGTH_MAX + 1];
    unsigned *before = row[0], *last = row[1], *now = row[2];
    size_t length = strlen(b);
    for (unsigned j = 0; j <= length; j++)
        last[j] = before[j] = j;
    for (size_t i = 0; a[i]; i++) {
        now[0] = (unsigned)i + 1;
        for (size_t j = 0; j < length; j++) {
            unsigned least = names_least(last[j + 1], now[j]) + 1;
            least = names_least(least, last[j] + (a[i] != b[j]));
            if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
                least = names_least(least, before[j - 1] + 1);
            now[j + 1] = least;
        }
        unsigned *spare = before;
        before = last, last = now, now = spare;
    }
    return last[length];
}

/* One of the two is the start of the other, and has 3 letters or more. */
static bool names_share_start(const char *a, const char *b)
{
    size_t x = strlen(a), y = strlen(b), least = x < y ? x : y;
    return least >= 3 && memcmp(a, b, least) == 0;
}

const char *names_nearest(const struct names *names, const char *given)
{
    const char *nearest = NULL;
    unsigned best = NAMES_LENGTH_MAX;
    if (strlen(given) > NAMES_LENGTH_MAX)
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        if (names_share_start(names->name[i], given))
            return names->name[i];
    for (size_t i = 0; i < names->count; i++) {
        size_t length = strlen(names->name[i]);
        if (length > NAMES_LENGTH_MAX)
            continue;
        unsigned distance = names_distance(given, names->name[i]);
        if (distance < best && distance <= (length < 6 ? 2 : length / 3))
            best = distance, nearest = names->name[i];
    }
    return nearest;
}

enum status names_fail(const struct names *names, const char *what, const char *given,
                       struct error *err)
{
    char shown[VALUE_SHOW_SIZE], hint[80] = "", known[300] = "";
    const char *nearest = names_nearest(names, given);
    size_t used = 0;
    if (nearest)
        snprintf(hint, sizeof hint, " did you mean '%s'?", nearest);
    for (size_t i = 0; i < names->count; i++) {
        size_t length = strlen(names->name[i]);
        if (used + length + 8 > sizeof known) {
            strcpy(known + used, ", ...");
            break;
        }
        used += (size_t)sprintf(known + used, "%s%s", i ? ", " : "", names->name[i]);
    }
    return fail(err, E_INPUT, "unknown %s '%s';%s known: %s", what, value_show(shown, given), hint,
                known);
}
