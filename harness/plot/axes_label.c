/* SPDX-License-Identifier: MIT
 *
 * axes_label.c: values of a grid in words, for gnuplot's enhanced text.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/plot/axes.h"

void enhanced_escape(char *to, size_t size, const char *text)
{
    size_t used = 0;
    for (; *text && used + 3 < size; text++) {
        if ((unsigned char)*text < 0x20)
            continue;
        if (strchr("_^{}@&~\\", *text))
            to[used++] = '\\';
        to[used++] = *text;
    }
    if (size)
        to[used] = '\0';
}

size_t enhanced_length(const char *text)
{
    size_t length = 0;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (strchr("_^{}", *text))
            continue;
        length += (*text & 0xc0) != 0x80;
    }
    return length;
}

void enhanced_number(char *to, size_t size, double number)
{
    int exponent;
    if (number >= 1024 && frexp(number, &exponent) == 0.5)
        snprintf(to, size, "2^{%d}", exponent - 1);
    else
        snprintf(to, size, "%.6g", number);
}

void axis_label(char *label, size_t size, const struct axis *axis, int value)
{
    char text[80] = "", name[2 * AXIS_NAME_MAX];
    label[0] = '\0';
    if (value == AXIS_MISSING)
        return;
    if (axis->numeric)
        enhanced_number(text, sizeof text, axis->numbers[value]);
    else
        enhanced_escape(text, sizeof text, axis->texts[value]);
    enhanced_escape(name, sizeof name, axis->name);
    if (strcmp(axis->name, "bits_per_key") == 0)
        snprintf(label, size, "%.4g bits per key", axis->numbers[value]);
    else if (strcmp(axis->name, "digest_bits") == 0)
        snprintf(label, size, "%s-bit digests", text);
    else if (axis->parameter || axis->numeric)
        snprintf(label, size, "%s = %s", name, text);
    else
        snprintf(label, size, "%s", text);
}

void axes_label(char *label, size_t size, const struct axes *axes, size_t cell, const int *which,
                unsigned count)
{
    size_t used = 0;
    label[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        char one[120];
        axis_label(one, sizeof one, &axes->axis[which[i]], axes_value(axes, cell, which[i]));
        int more = one[0] ? snprintf(label + used, size - used, "%s%s", used ? ", " : "", one) : 0;
        if (more < 0 || (size_t)more >= size - used)
            return;
        used += (size_t)more;
    }
}

void axes_x_label(char *label, size_t size, const struct axes *axes, int axis, const char *given)
{
    static const struct {
        const char *axis, *label;
    } names[] = {
        {"k", "probes per key k"},
        {"bits_per_key", "bits per key m/n"},
        {"n", "keys n"},
        {"m", "positions m"},
        {"digest_bits", "bits of a digest"},
        {"block_bits", "bits of a block"},
    };
    snprintf(label, size, "%s", given ? given : "");
    if (given || axis < 0)
        return;
    enhanced_escape(label, size, axes->axis[axis].name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].axis, axes->axis[axis].name) == 0)
            snprintf(label, size, "%s", names[i].label);
}
