/* SPDX-License-Identifier: MIT */
#include "tests/plot_support.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filters/theory/classic.h"
#include "harness/plot/family.h"
#include "harness/plot/plot.h"
#include "harness/stats/stats.h"
#include "harness/table/file.h"

enum { MADE_TRIALS = 10 };

static const char made_cells_header[] =
    "experiment,cell_id,filter,params,hash,family,digest_bits,reduction,keys,m,m_actual,n,k,"
    "bits_per_key,trials,queries_per_trial,queries,false_positives,false_negatives,fpr,fpr_lo,"
    "fpr_hi,interval,deff,tau,fill,fill_expected,fill_sd_expected,memory_bytes,fpr_standard,"
    "fpr_bloom,fpr_exact,fpr_model,model,model_se,fpr_bits,fpr_scheme,fpr_scheme_lo,fpr_scheme_hi,"
    "z_fill,p_fill,z_spread,p_spread,z_probe,p_probe,z_model,p_model,ratio,ratio_lo,ratio_hi,mde,"
    "verdict,explained_by,flags\n";

void made_open(struct made_run *run)
{
    *run = (struct made_run){.directory = "/tmp/made-run-XXXXXX"};
    cr_assert_not_null(mkdtemp(run->directory));
    text_printf(&run->cells, "%s", made_cells_header);
    text_printf(&run->trials, "experiment,cell_id,trial,m_actual,n,k,queries,"
                              "false_positives,bits_set,fpr_scheme\n");
    text_printf(&run->measures, "experiment,cell_id,trial,measure,value\n");
    text_printf(&run->estimates, "cell_id,estimate,value,z,p,q,source\n");
    text_printf(&run->skipped, "experiment,filter,reason\n");
}

static void made_number(struct text *text, double value)
{
    if (value > 0)
        field_real(text, value, 9);
    else
        field_empty(text);
}

static void made_empty(struct text *text, int count)
{
    for (int i = 0; i < count; i++)
        field_empty(text);
}

static void made_identity(struct text *text, const struct made_cell *cell, const char *id)
{
    field_string(text, "made");
    field_string(text, id);
    field_string(text, cell->filter);
    field_string(text, cell->params ? cell->params : "");
    field_string(text, cell->hash ? cell->hash : "xxh3_64");
    field_string(text, "seeded");
    made_number(text, cell->digest_bits ? cell->digest_bits : 64);
    field_string(text, "mod");
    field_string(text, cell->keys ? cell->keys : "random64");
    made_number(text, cell->m);
    made_number(text, cell->m);
    made_number(text, cell->n);
    made_number(text, cell->k);
    made_number(text, cell->m / cell->n);
}

static void made_rates(struct text *text, const struct made_cell *cell)
{
    double all = cell->queries * MADE_TRIALS;
    struct interval interval = stats_wilson((uint64_t)cell->hits, (uint64_t)all, 0.95);
    field_count(text, MADE_TRIALS);
    field_count(text, (uint64_t)cell->queries);
    field_count(text, (uint64_t)all);
    field_count(text, (uint64_t)cell->hits);
    field_count(text, 0);
    field_rate(text, all > 0 ? cell->hits / all : NAN);
    field_rate(text, all > 0 ? interval.lo : NAN);
    field_rate(text, all > 0 ? interval.hi : NAN);
    field_string(text, all > 0 ? "wilson_cluster" : "");
    made_empty(text, 2);
    field_rate(text, 0.5);
    made_empty(text, 2);
    field_count(text, (uint64_t)(cell->memory_bytes > 0 ? cell->memory_bytes : cell->m / 8));
}

static void made_theory(struct text *text, const struct made_cell *cell)
{
    uint64_t m = (uint64_t)cell->m, n = (uint64_t)cell->n;
    unsigned k = (unsigned)cell->k;
    bool has = m > 0 && k > 0;
    field_rate(text, has ? theory_fpr_standard(m, n, k) : NAN);
    field_rate(text, has ? theory_fpr_bloom(m, n, k) : NAN);
    field_rate(text, has ? theory_fpr_exact(m, n, k) : NAN);
    bool classic = strcmp(cell->filter, "classic") == 0;
    field_rate(text, has && classic ? theory_fpr_exact(m, n, k) : NAN);
    field_string(text, "exact");
    field_empty(text);
    field_rate(text, has ? theory_fpr_bloom(m, n, k) : NAN);
    made_number(text, cell->scheme);
    made_number(text, cell->scheme * 0.95);
    made_number(text, cell->scheme * 1.05);
}

static void made_trial(struct text *text, const struct made_cell *cell, const char *id, int trial)
{
    field_string(text, "made");
    field_string(text, id);
    field_count(text, (uint64_t)trial);
    made_number(text, cell->m);
    made_number(text, cell->n);
    made_number(text, cell->k);
    field_count(text, (uint64_t)cell->queries);
    field_count(text, (uint64_t)(cell->hits / MADE_TRIALS));
    made_number(text, cell->m / 2);
    field_real(text, cell->scheme * (1 + 0.02 * (trial - (MADE_TRIALS - 1) / 2.0)), 9);
    row_end(text);
}

void made_add(struct made_run *run, struct made_cell cell)
{
    char id[24];
    snprintf(id, sizeof id, "%016zx", ++run->count);
    made_identity(&run->cells, &cell, id);
    made_rates(&run->cells, &cell);
    made_theory(&run->cells, &cell);
    made_empty(&run->cells, 4);
    field_empty(&run->cells);
    field_p(&run->cells, cell.verdict && strcmp(cell.verdict, "FAIL") == 0 ? 1e-9 : 0.5);
    made_empty(&run->cells, 6);
    field_string(&run->cells, cell.verdict ? cell.verdict : "");
    made_empty(&run->cells, 2);
    row_end(&run->cells);
    for (int t = 0; t < MADE_TRIALS && cell.scheme > 0; t++)
        made_trial(&run->trials, &cell, id, t);
}

void made_measure(struct made_run *run, const char *measure, double value)
{
    text_printf(&run->measures, "made,%016zx,0,%s,%.9g\n", run->count, measure, value);
}

void made_estimate(struct made_run *run, const char *estimate, double value)
{
    text_printf(&run->estimates, "%016zx,%s,%.9g,,,,\n", run->count, estimate, value);
}

/* JSON escapes of what test experiments hold: quotes, backslashes, line ends. */
static void made_json(struct text *text, const char *value)
{
    for (; *value; value++)
        if (*value == '\n')
            text_printf(text, "\\n");
        else if (*value == '"' || *value == '\\')
            text_printf(text, "\\%c", *value);
        else
            text_add(text, value, 1);
}

void made_write(struct made_run *run, const char *yaml)
{
    struct error err;
    struct {
        const char *name;
        struct text *text;
    } tables[] = {{"cells.csv", &run->cells},
                  {"trials.csv", &run->trials},
                  {"measures.csv", &run->measures},
                  {"estimates.csv", &run->estimates},
                  {"skipped.csv", &run->skipped}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        cr_assert_eq(file_write(run->directory, tables[i].name, tables[i].text, &err), OK, "%s",
                     err.text);
    if (!yaml)
        return;
    struct text provenance = {0};
    text_printf(&provenance,
                "{\"experiment\": \"made\", \"question\": \"Is <it> \\\"safe\\\" & "
                "sound?\", \"seed\": 1, \"commit\": \"0123456789abcdef\", \"yaml\": \"");
    made_json(&provenance, yaml);
    text_printf(&provenance, "\"}\n");
    cr_assert_eq(file_write(run->directory, "provenance.json", &provenance, &err), OK);
    text_release(&provenance);
}

void made_remove(struct made_run *run)
{
    DIR *folder = opendir(run->directory);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    cr_expect_eq(rmdir(run->directory), 0, "%s is not empty", run->directory);
    text_release(&run->cells);
    text_release(&run->trials);
    text_release(&run->measures);
    text_release(&run->estimates);
    text_release(&run->skipped);
}

struct text made_read(const struct made_run *run, const char *name)
{
    char path[256];
    struct text text;
    struct error err;
    snprintf(path, sizeof path, "%s/%s", run->directory, name);
    cr_assert_eq(file_read(&text, path, &err), OK, "%s", err.text);
    return text;
}

bool made_has(const struct made_run *run, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", run->directory, name);
    return access(path, R_OK) == 0;
}

void made_write_for(struct made_run *run, const char *family)
{
    /* what the experiment gives decides which axes are laid out */
    const char *given = "  m: [64]\n  n: [8]\n";
    char yaml[400];
    if (strcmp(family, "blocked-penalty") == 0)
        given = "  m: [64]\n  bits_per_key: [8]\n";
    if (strcmp(family, "digest-width") == 0)
        given = "  n: [8]\n  bits_per_key: [8]\n";
    snprintf(yaml, sizeof yaml,
             "name: made\nquestion: q\ngrid:\n  filter: [classic]\n  hash: [xxh3_64]\n"
             "  keys: [random64]\n%s  k: [2]\nplots: [%s]\n",
             given, family);
    made_write(run, yaml);
}

struct text made_drawn(struct made_run *run, const char *family)
{
    struct error err;
    char name[80];
    made_write_for(run, family);
    cr_assert_eq(plot_run(run->directory, &err), OK, "%s: %s", family, err.text);
    snprintf(name, sizeof name, "%s.svg", family);
    struct text svg = made_read(run, name);
    cr_expect(xml_balanced(svg.data), "%s", family);
    return svg;
}

struct text made_answer(const struct made_run *run, const char *family)
{
    struct run_data *data;
    struct error err;
    struct text answer = {0};
    cr_assert_eq(run_data_open(&data, run->directory, &err), OK, "%s", err.text);
    text_add(&answer, "", 0);
    plot_find(family)->answer(data, &answer);
    run_data_close(data);
    return answer;
}

void expect_part(const struct text *text, const char *part)
{
    cr_expect_not_null(strstr(text->data, part), "\"%s\" is not in \"%.300s\"", part, text->data);
}

size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

bool xml_balanced(const char *text)
{
    enum { DEPTH = 64 };
    const char *open[DEPTH];
    size_t length[DEPTH], depth = 0;
    while ((text = strchr(text, '<'))) {
        const char *end = strchr(text, '>');
        bool closing = text[1] == '/';
        const char *name = text + 1 + closing;
        size_t size = strcspn(name, " \t\n/>");
        if (!end)
            return false;
        if (closing) {
            if (depth == 0 || length[depth - 1] != size || memcmp(open[depth - 1], name, size) != 0)
                return false;
            depth--;
        } else if (text[1] != '?' && text[1] != '!' && end[-1] != '/') {
            if (depth == DEPTH)
                return false;
            open[depth] = name;
            length[depth++] = size;
        }
        text = end;
    }
    return depth == 0;
}
