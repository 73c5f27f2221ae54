/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "harness/claims/claims.h"
#include "harness/table/file.h"

static const char claims_header[] = "source,claim,claimed,measured,interval,verdict,how\n";
static const char readings_header[] = "source,claim,reading,claimed,value,lo,hi,z\n";
enum { READING_DIGITS = 9, READING_MEASURED_DIGITS = 6 };

static void write_row(struct text *table, const struct found *found)
{
    field_string(table, found->source->name);
    field_string(table, found->claim->name);
    field_string(table, found->claim->claimed);
    field_string(table, found->finding.measured);
    field_string(table, found->intervals);
    field_string(table, claim_verdict_name[found->finding.verdict]);
    field_string(table, found->finding.how);
    row_end(table);
}

static void write_rows(struct text *table, const struct found *found, size_t count, bool timed)
{
    text_add(table, claims_header, sizeof claims_header - 1);
    for (size_t i = 0; i < count; i++)
        if (found[i].claim->timed == timed)
            write_row(table, &found[i]);
}

static void write_readings(struct text *table, const struct found *found, size_t count)
{
    text_add(table, readings_header, sizeof readings_header - 1);
    for (size_t i = 0; i < count; i++)
        for (unsigned r = 0; !found[i].claim->timed && r < found[i].finding.readings; r++) {
            const struct reading *reading = &found[i].finding.reading[r];
            bool measured = !isnan(reading->range.lo);
            field_string(table, found[i].source->name);
            field_string(table, found[i].claim->name);
            field_string(table, reading->name);
            field_real(table, reading->claimed, READING_DIGITS);
            field_real(table, reading->value, measured ? READING_MEASURED_DIGITS : READING_DIGITS);
            field_real(table, reading->range.lo, READING_MEASURED_DIGITS);
            field_real(table, reading->range.hi, READING_MEASURED_DIGITS);
            field_z(table, reading->z);
            row_end(table);
        }
}

/* A field of a Markdown table: what would end it or be taken for markup is escaped. */
static void write_markdown_field(struct text *page, const char *value)
{
    text_printf(page, "| ");
    for (; *value; value++) {
        if (strchr("|<>*_`[]\\", *value))
            text_add(page, "\\", 1);
        text_add(page, value, 1);
    }
    text_printf(page, " ");
}

static void write_markdown_rows(struct text *page, const struct found *found, size_t count)
{
    const struct claim_source *source = NULL;
    for (size_t i = 0; i < count; i++) {
        if (found[i].claim->timed)
            continue;
        if (found[i].source != source) {
            source = found[i].source;
            text_printf(page,
                        "\n## %s\n\n| claim | claimed | found | 95 %% interval | verdict | how |\n"
                        "|---|---|---|---|---|---|\n",
                        source->title);
        }
        write_markdown_field(page, found[i].claim->name);
        write_markdown_field(page, found[i].claim->claimed);
        write_markdown_field(page, found[i].finding.measured);
        write_markdown_field(page, found[i].intervals);
        write_markdown_field(page, claim_verdict_name[found[i].finding.verdict]);
        write_markdown_field(page, found[i].finding.how);
        text_printf(page, "|\n");
    }
}

static void write_markdown(struct text *page, const struct found *found, size_t count)
{
    size_t verdicts[CLAIM_VERDICTS] = {0};
    for (size_t i = 0; i < count; i++)
        verdicts[found[i].finding.verdict] += !found[i].claim->timed;
    text_printf(page, "# Claims\n\nWhat the sources state, and what this program finds: ");
    for (int v = 0; v < CLAIM_VERDICTS; v++)
        text_printf(page, "%s%zu %s", v ? ", " : "", verdicts[v], claim_verdict_name[v]);
    text_printf(
        page,
        ".\n\nReproduced: computed, and the same in every digit the source gives. Within "
        "error: measured, less than %g standard errors (z) away. Ambiguous: the claim can be "
        "read in two ways, or holds only sometimes; both are given. Refuted: another value "
        "is right. External: nothing here can tell. Claims on times, which no two runs find "
        "alike, stand in timings.csv.\n",
        CLAIM_Z_MAX);
    write_markdown_rows(page, found, count);
}

const char *const claims_tables[] = {"claims.csv", "timings.csv", "readings.csv", NULL};

enum status claims_write(const char *directory, const struct found *found, size_t count,
                         struct error *err)
{
    struct text text[4] = {0};
    enum status status = directory_make(directory, err);
    write_rows(&text[0], found, count, false);
    write_rows(&text[1], found, count, true);
    write_readings(&text[2], found, count);
    write_markdown(&text[3], found, count);
    for (int i = 0; i < 4; i++) {
        if (!status)
            status = file_write(directory, claims_tables[i] ? claims_tables[i] : "claims.md",
                                &text[i], err);
        text_release(&text[i]);
    }
    return status;
}
