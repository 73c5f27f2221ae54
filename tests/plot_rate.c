/* SPDX-License-Identifier: MIT
 *
 * The generic plot, drawn from made-up tables: what a reader must find in the SVG.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plot/family.h"
#include "harness/plot/plot.h"
#include "harness/table/file.h"
#include "tests/plot_support.h"

/* Points drawn; symbols that are only defined have an id after the reference. */
static size_t points_drawn(const char *svg)
{
    static const char mark[] = "<use xlink:href='#gpPt";
    size_t count = 0;
    for (const char *at = svg; (at = strstr(at, mark)); at += sizeof mark) {
        const char *behind = at + sizeof mark + strcspn(at + sizeof mark, "'") + 1;
        count += strncmp(behind, " id=", 4) != 0;
    }
    return count;
}

static void add_rate(struct made_run *run, const char *filter, const char *hash, double m, double k)
{
    double exact = theory_fpr_exact((uint64_t)m, (uint64_t)m / 8, (unsigned)k);
    made_add(run, (struct made_cell){.filter = filter,
                                     .hash = hash,
                                     .m = m,
                                     .n = m / 8,
                                     .k = k,
                                     .queries = 1e5,
                                     .hits = (double)(long)(1e6 * exact),
                                     .scheme = exact,
                                     .verdict = "PASS"});
}

Test(plot, every_family_has_its_script_and_no_other_is_known)
{
    char path[128];
    cr_expect(plot_count >= 13);
    for (unsigned i = 0; i < plot_count; i++) {
        snprintf(path, sizeof path, "scripts/plot/%s.gp", plot_table[i]->name);
        FILE *script = fopen(path, "r");
        cr_expect_not_null(script, "%s is missing", path);
        if (script)
            fclose(script);
        cr_expect(plot_family_exists(plot_table[i]->name));
        cr_expect_not_null(plot_table[i]->draw);
    }
    cr_expect(plot_family_exists("fpr-vs-k"));
    cr_expect_not(plot_family_exists("fpr_vs_k"));
    cr_expect_not(plot_family_exists(""));
    cr_expect_not(plot_family_exists("../rate"));
}

Test(plot, panels_and_series_come_from_the_grid)
{
    struct made_run run;
    struct error err;
    made_open(&run);
    for (int f = 0; f < 2; f++)
        for (int m = 0; m < 2; m++)
            for (int k = 1; k <= 5; k++)
                add_rate(&run, f ? "blocked" : "classic", "xxh3_64", m ? 4096 : 1024, k);
    made_write(&run, NULL);
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    struct text svg = made_read(&run, "rate.svg");
    cr_expect(xml_balanced(svg.data));
    cr_expect_eq(occurrences(svg.data, ">m = 2<"), 2, "two panels, one for each m");
    cr_expect_eq(occurrences(svg.data, "<title>classic<"), 1);
    cr_expect_eq(occurrences(svg.data, "<title>blocked<"), 1);
    cr_expect_eq(occurrences(svg.data, ">probes per key k<"), 2, "under each panel");
    /* 20 rates, 20 ratios, two samples in the legend */
    cr_expect_eq(points_drawn(svg.data), 42, "%zu points", points_drawn(svg.data));
    text_release(&svg);
    cr_expect(made_has(&run, "rate.png") && made_has(&run, "rate.pdf"));
    cr_expect_not(made_has(&run, "rate-2.svg"));
    made_remove(&run);
}

Test(plot, drawing_again_gives_the_same_bytes)
{
    static const char *const names[] = {"rate.svg", "rate.png", "rate.pdf"};
    struct text first[3];
    struct made_run run;
    made_open(&run);
    for (int k = 1; k <= 4; k++)
        add_rate(&run, "classic", "xxh3_64", 4096, k);
    made_write(&run, NULL);
    cr_assert_eq(plot_run(run.directory, NULL), OK);
    for (int i = 0; i < 3; i++)
        first[i] = made_read(&run, names[i]);
    cr_assert_eq(plot_run(run.directory, NULL), OK);
    for (int i = 0; i < 3; i++) {
        struct text second = made_read(&run, names[i]);
        cr_expect(first[i].size == second.size &&
                      memcmp(first[i].data, second.data, second.size) == 0,
                  "%s differs", names[i]);
        text_release(&first[i]);
        text_release(&second);
    }
    made_remove(&run);
}

Test(plot, no_hits_become_upper_limits)
{
    struct made_run run;
    struct error err;
    made_open(&run);
    for (int k = 1; k <= 4; k++)
        made_add(
            &run,
            (struct made_cell){
                .filter = "classic", .m = 1 << 20, .n = 1024, .k = k, .queries = 1e5, .hits = 0});
    made_write(&run, "");
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    struct text svg = made_read(&run, "rate.svg");
    cr_expect_eq(points_drawn(svg.data), 5, "four limits and the legend, no ratio; %zu",
                 points_drawn(svg.data));
    cr_expect_neq(occurrences(svg.data, "Arrows:"), 0);
    text_release(&svg);
    made_remove(&run);
}

Test(plot, one_cell_is_enough)
{
    struct made_run run;
    struct error err;
    made_open(&run);
    add_rate(&run, "classic", "xxh3_64", 1024, 4);
    made_write(&run, NULL);
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    struct text svg = made_read(&run, "rate.svg");
    cr_expect_eq(points_drawn(svg.data), 3);
    text_release(&svg);
    made_remove(&run);
}

Test(plot, an_empty_table_has_no_plot_and_old_ones_go)
{
    struct made_run run;
    struct error err;
    struct text old = {0};
    made_open(&run);
    made_write(&run, NULL);
    text_printf(&old, "old");
    cr_assert_eq(file_write(run.directory, "rate-3.svg", &old, &err), OK);
    cr_assert_eq(file_write(run.directory, "fpr-vs-k.png", &old, &err), OK);
    cr_assert_eq(file_write(run.directory, "rate-of-mine.svg", &old, &err), OK);
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    cr_expect_not(made_has(&run, "rate.svg"));
    cr_expect_not(made_has(&run, "rate-3.svg"));
    cr_expect_not(made_has(&run, "fpr-vs-k.png"));
    cr_expect(made_has(&run, "rate-of-mine.svg"), "a file that is nobody's figure stays");
    text_release(&old);
    made_remove(&run);
}

Test(plot, thirteen_series_are_split)
{
    char hash[16];
    struct made_run run;
    struct error err;
    made_open(&run);
    for (int h = 0; h < 13; h++)
        for (int k = 1; k <= 3; k++) {
            snprintf(hash, sizeof hash, "hash%c", 'a' + h);
            add_rate(&run, "classic", hash, 1024, k);
        }
    made_write(&run, NULL);
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    struct text first = made_read(&run, "rate.svg"), second = made_read(&run, "rate-2.svg");
    cr_expect_not(made_has(&run, "rate-3.svg"));
    cr_expect_eq(occurrences(first.data, "<title>hash"), 6);
    cr_expect_eq(occurrences(second.data, "<title>hash"), 7);
    cr_expect_eq(points_drawn(first.data), 6 * 3 * 2 + 6);
    cr_expect_eq(points_drawn(second.data), 7 * 3 * 2 + 7);
    cr_expect_neq(occurrences(second.data, ">part 2 of 2<"), 0);
    text_release(&first);
    text_release(&second);
    made_remove(&run);
}

Test(plot, names_cannot_speak_to_gnuplot)
{
    static const char evil[] =
        "a'b\"; set output; !touch evil # `touch evil` ${x} {/=50 big} _^@&\\";
    struct made_run run;
    struct error err;
    made_open(&run);
    for (int k = 1; k <= 3; k++) {
        add_rate(&run, evil, "'", 1024, k);
        made_add(&run, (struct made_cell){.filter = "classic",
                                          .keys = evil,
                                          .m = 1024,
                                          .n = 128,
                                          .k = k,
                                          .queries = 1e5,
                                          .hits = 1000});
    }
    made_write(&run, "");
    cr_assert_eq(plot_run(run.directory, &err), OK, "%s", err.text);
    struct text svg = made_read(&run, "rate.svg");
    cr_expect(xml_balanced(svg.data));
    cr_expect_neq(occurrences(svg.data, "set output; !touch evil"), 0, "shown as it is");
    cr_expect_not(made_has(&run, "evil"));
    FILE *evil_file = fopen("evil", "r");
    cr_expect_null(evil_file);
    text_release(&svg);
    made_remove(&run);
}

Test(plot, what_is_no_run_is_refused)
{
    struct made_run run;
    struct error err;
    cr_expect_eq(plot_run("/nowhere/at/all", &err), E_INPUT);
    cr_expect_neq(occurrences(err.text, "/nowhere/at/all"), 0, "%s", err.text);
    made_open(&run);
    cr_expect_eq(plot_run(run.directory, &err), E_INPUT);
    add_rate(&run, "classic", "xxh3_64", 1024, 4);
    run.cells.size -= 20; /* a row cut short */
    run.cells.data[run.cells.size] = '\0';
    text_printf(&run.cells, "\n");
    made_write(&run, NULL);
    cr_expect_eq(plot_run(run.directory, &err), E_INPUT);
    cr_expect_neq(occurrences(err.text, "row 1"), 0, "%s", err.text);
    made_remove(&run);
}
