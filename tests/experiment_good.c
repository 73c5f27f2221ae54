/* SPDX-License-Identifier: MIT
 *
 * What a good experiment becomes, field by field: tests/data/good/everything.yaml has every form.
 */
#include "tests/experiment_text.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct experiment *good_read(const char *path, const char *scale)
{
    struct experiment *experiment;
    struct error err = {0};
    FILE *stream = fopen(path, "r");
    cr_assert(stream, "%s", path);
    cr_assert_eq(experiment_read(&experiment, stream, path, scale, &err), OK, "%s", err.text);
    fclose(stream);
    return experiment;
}

static const char everything[] = "tests/data/good/everything.yaml";

static void good_integers(const struct u64_list *list, const uint64_t *values, size_t count)
{
    cr_assert_eq(list->count, count, "%zu values", list->count);
    cr_expect_arr_eq(list->values, values, count * sizeof *values);
}

Test(experiment_good, outermost_keys)
{
    struct experiment *e = good_read(everything, NULL);
    cr_expect_str_eq(e->name, "every-thing_1.0");
    cr_expect_str_eq(e->question, "Does the reader take all that a researcher may write, “quoted”, "
                                  "über and all?");
    cr_expect_eq(e->workload, WORKLOAD_MEMBERSHIP);
    cr_expect_eq(e->seed, UINT64_MAX);
    cr_expect(e->hash_seed_fixed);
    cr_expect_eq(e->hash_seed, 255);
    cr_expect(e->independent);
    cr_assert_eq(e->plot_count, 2);
    cr_expect_str_eq(e->plots[0], "fpr-vs-k");
    cr_expect_str_eq(e->plots[1], "fill");
    size_t bytes;
    char *text = experiment_text_load(everything, &bytes);
    cr_assert_eq(e->source_bytes, bytes);
    cr_expect_str_eq(e->source, text);
    free(text);
    experiment_free(e);
}

Test(experiment_good, filters_and_their_parameters)
{
    static const char *const rows[] = {
        "classic",
        "blocked block_bits=64",
        "blocked block_bits=512",
        "scalable_exponential lookup=oldest_first scale_factor=2 tightening=0.1",
        "scalable_exponential lookup=oldest_first scale_factor=4 tightening=0.1",
        "scalable_exponential lookup=oldest_first scale_factor=2 tightening=0.2",
        "scalable_exponential lookup=oldest_first scale_factor=4 tightening=0.2",
        "scalable_exponential lookup=oldest_first scale_factor=2 tightening=0.3",
        "scalable_exponential lookup=oldest_first scale_factor=4 tightening=0.3",
        "double_hashing force_odd=false",
        "double_hashing force_odd=true",
    };
    struct experiment *e = good_read(everything, "");
    const struct grid *grid = &e->grids[0];
    cr_assert_eq(grid->filter_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < grid->filter_count; i++) {
        char params[256], wanted[256], *save, *word;
        const struct filter_choice *choice = &grid->filters[i];
        filter_params_format(&choice->params, choice->ops, params, sizeof params);
        strcpy(wanted, rows[i]);
        cr_expect_str_eq(choice->ops->name, strtok_r(wanted, " ", &save));
        while ((word = strtok_r(NULL, " ", &save)))
            cr_expect(strstr(params, word), "%s: %s lacks %s", rows[i], params, word);
        cr_expect_eq(choice->params.m + choice->params.n + choice->params.k, 0);
    }
    experiment_free(e);
}

Test(experiment_good, hashes)
{
    static const struct {
        const char *name, *second;
        enum family family;
    } rows[] = {
        {"murmur3_x64_128", NULL, FAMILY_SPLIT}, {"murmur3_x64_128", NULL, FAMILY_SEEDED},
        {"murmur2", NULL, FAMILY_SALTED},        {"fnv1a_64", NULL, FAMILY_SEEDED},
        {"fnv1a_32", "djb2_mix", FAMILY_PAIR},
    };
    struct experiment *e = good_read(everything, "");
    const struct grid *grid = &e->grids[0];
    cr_assert_eq(grid->hash_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < grid->hash_count; i++) {
        cr_expect_str_eq(grid->hashes[i].hash->name, rows[i].name);
        cr_expect_eq(grid->hashes[i].family, rows[i].family);
        cr_assert_eq(grid->hashes[i].second == NULL, rows[i].second == NULL);
        if (rows[i].second)
            cr_expect_str_eq(grid->hashes[i].second->name, rows[i].second);
    }
    experiment_free(e);
}

Test(experiment_good, key_sets)
{
    static const char *const rows[] = {
        "random64",
        "uuid4",
        "decimal(width=5)",
        "list(5 keys)",
        "list(3 keys)",
        "file(keys.bin;binary)",
        "file(keys.txt)",
        "decimal(0..9999;width=4)",
        "little_endian(0..999;bytes=4)",
        "strided64",
    };
    static const char *const texts[] = {"cat", "owl", "a b", "007", ""};
    struct experiment *e = good_read(everything, "");
    struct key_spec **keys = e->grids[0].keys;
    char text[256];
    cr_assert_eq(e->grids[0].keys_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < e->grids[0].keys_count; i++) {
        key_spec_format(keys[i], text, sizeof text);
        cr_expect_str_eq(text, rows[i]);
    }
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(keys[3]->item_bytes[i], strlen(texts[i]));
        cr_expect_arr_eq(keys[3]->items[i], texts[i], strlen(texts[i]));
    }
    cr_assert_eq(keys[4]->item_bytes[1], 8);
    cr_expect_arr_eq(keys[4]->items[1], "\xe9\x9f\x20\x4c\x42\x42\xf3\x7d", 8);
    cr_expect_eq(keys[4]->item_bytes[2], 0);
    cr_expect_eq(keys[9]->stride, 4096);
    const struct key_spec *apart = e->grids[1].keys[0];
    key_spec_format(apart, text, sizeof text);
    cr_expect_str_eq(text, "explicit(members=list(2 keys);queries=decimal(0..9);sampled)");
    experiment_free(e);
}

Test(experiment_good, axes_of_numbers)
{
    static const double bits[] = {8, 9.5, 10, 10.5, 11, 0.0625};
    struct experiment *e = good_read(everything, "");
    cr_assert_eq(e->grid_count, 2);
    const struct grid *grid = &e->grids[0];
    cr_assert_eq(grid->reduction_count, 2);
    cr_expect(grid->reductions[0] == REDUCE_MULTIPLY_SHIFT && grid->reductions[1] == REDUCE_MOD);
    good_integers(&grid->digest_bits, (uint64_t[]){0, 8, 9, 10, 64}, 5);
    good_integers(&grid->m, (uint64_t[]){100, 1024, 2048, 4096, 8192, 1000000, 3072}, 7);
    good_integers(&grid->k, (uint64_t[]){1, 2, 3, EXPERIMENT_K_OPTIMAL, 10, 15, 20}, 7);
    cr_expect_eq(grid->n.count, 0);
    cr_assert_eq(grid->bits_per_key.count, 6);
    cr_expect_arr_eq(grid->bits_per_key.values, bits, sizeof bits);
    grid = &e->grids[1];
    cr_expect(grid->reduction_count == 1 && grid->reductions[0] == REDUCE_MOD);
    good_integers(&grid->digest_bits, (uint64_t[]){0}, 1);
    good_integers(&grid->n, (uint64_t[]){0, 1000}, 2);
    cr_expect_eq(grid->m.count + grid->k.count + grid->bits_per_key.count, 0);
    experiment_free(e);
}

Test(experiment_good, a_grid_may_have_trials_and_queries_of_its_own)
{
    struct experiment *e = good_read(everything, "");
    const struct grid *own = &e->grids[0], *common = &e->grids[1];
    cr_expect(own->trials == 7 && own->queries == 0);
    cr_expect(own->relative_error == 0.02 && own->confidence == 0.99);
    cr_expect(common->trials == 1000 && common->queries == 1 << 20);
    cr_expect(isnan(common->relative_error) && isnan(common->confidence));
    experiment_free(e);
}

Test(experiment_good, a_scale_replaces_what_it_names)
{
    struct experiment *e = good_read(everything, "quick");
    cr_assert_eq(e->grid_count, 2);
    cr_expect(e->grids[0].trials == 7 && e->grids[0].queries == 0);
    cr_expect(e->grids[1].trials == 2 && e->grids[1].queries == 10);
    experiment_free(e);

    e = good_read(everything, "paper");
    cr_assert_eq(e->grid_count, 1);
    const struct grid *grid = &e->grids[0];
    cr_expect_str_eq(grid->filters[0].ops->name, "partitioned");
    good_integers(&grid->n, (uint64_t[]){1000, 10000, 100000}, 3);
    cr_expect(grid->trials == 300 && grid->queries == 0);
    cr_expect(grid->relative_error == 0.005 && grid->confidence == 0.95);
    experiment_free(e);

    e = good_read(everything, "unheard-of");
    cr_expect_eq(e->grid_count, 2);
    experiment_free(e);
}

Test(experiment_good, what_is_left_out_has_a_default)
{
    static const char text[] = "name: a\nquestion: b\ngrid: {filter: classic, hash: murmur2, keys: "
                               "random64, m: 8, n: 1, k: 1}\n";
    struct experiment *e;
    struct error err = {0};
    cr_assert_eq(experiment_text_read(&e, text, sizeof text - 1, "", &err), OK, "%s", err.text);
    cr_expect(e->workload == WORKLOAD_MEMBERSHIP && e->seed == 1 && !e->hash_seed_fixed);
    cr_expect(!e->independent && e->plot_count == 0 && e->grids[0].trials == 30);
    cr_expect(e->grids[0].queries == 100000 && isnan(e->grids[0].relative_error));
    experiment_free(e);
}

/* One grid of keys that may be left out or combined; the rest is the same everywhere. */
static enum status good_grid(const char *grid)
{
    char text[512];
    struct experiment *e;
    struct error err;
    int length =
        snprintf(text, sizeof text, "name: a\nquestion: b\ngrid: {hash: xxh64, %s}\n", grid);
    enum status status = experiment_text_read(&e, text, (size_t)length, "", &err);
    experiment_free(e);
    return status;
}

Test(experiment_good, axes_that_may_be_left_out)
{
    cr_expect_eq(good_grid("filter: classic, keys: random64, m: 8, n: 8, k: 1"), OK);
    cr_expect_eq(good_grid("filter: classic, keys: random64, m: 8, bits_per_key: 8, k: 1"), OK);
    cr_expect_eq(good_grid("filter: classic, keys: random64, n: 8, bits_per_key: 8, k: 1"), OK);
    cr_expect_eq(good_grid("filter: [classic, null], keys: random64, m: 8, n: 8"), E_INPUT);
    cr_expect_eq(good_grid("filter: 'null', keys: random64, n: 8"), OK);
    cr_expect_eq(good_grid("filter: 'null', keys: random64, m: 8"), E_INPUT);
    const char *apart = "keys: {members: {list: [a]}, queries: {list: [b]}}";
    char text[256];
    snprintf(text, sizeof text, "filter: classic, %s, m: 8, k: 1", apart);
    cr_expect_eq(good_grid(text), OK);
    snprintf(text, sizeof text, "filter: classic, %s, bits_per_key: 8, k: 1", apart);
    cr_expect_eq(good_grid(text), OK);
    cr_expect_eq(
        good_grid("filter: classic, keys: [random64, {members: {list: [a]}, queries: {list: "
                  "[b]}}], m: 8, k: 1"),
        E_INPUT);
}

Test(experiment_good, as_many_cells_as_are_planned)
{
    const char *most = "filter: classic, keys: random64, m: 1..10000, n: 1..200, k: 1";
    const char *more = "filter: classic, keys: random64, m: 1..666667, n: 1, k: 1..3";
    cr_expect_eq(good_grid(most), OK);
    cr_expect_eq(good_grid(more), E_INPUT);
}

Test(experiment_good, a_plain_sweep)
{
    struct experiment *e = good_read("tests/data/good/small.yaml", "");
    cr_assert_eq(e->grid_count, 1);
    const struct grid *grid = &e->grids[0];
    cr_expect_str_eq(e->name, "fpr-vs-k");
    cr_assert(grid->filter_count == 3 && grid->hash_count == 3 && grid->keys_count == 1);
    cr_expect_str_eq(grid->filters[2].ops->name, "blocked");
    cr_expect_eq(grid->filters[2].params.own[0].integer, 512);
    cr_expect_eq(grid->hashes[0].family, FAMILY_SPLIT);
    good_integers(&grid->m, (uint64_t[]){65536}, 1);
    cr_assert_eq(grid->k.count, 16);
    for (uint64_t k = 1; k <= 16; k++)
        cr_expect_eq(grid->k.values[k - 1], k);
    cr_expect(grid->bits_per_key.count == 1 && grid->bits_per_key.values[0] == 8);
    cr_expect(grid->trials == 30 && grid->queries == 100000 && !e->hash_seed_fixed);
    experiment_free(e);
}

Test(experiment_good, members_and_queries_apart)
{
    struct experiment *e = good_read("tests/data/good/source-001.yaml", "");
    cr_assert_eq(e->grid_count, 1);
    const struct grid *grid = &e->grids[0];
    const struct key_spec *keys = grid->keys[0];
    cr_assert(keys->kind == KEYS_EXPLICIT && keys->members->item_count == 16);
    cr_expect_arr_eq(keys->members->items[15], "eel", 3);
    cr_expect(keys->queries->has_range && keys->queries->first == 0);
    cr_expect(keys->queries->last == 9999 && keys->queries->width == 0);
    cr_expect(e->hash_seed_fixed && e->hash_seed == 0 && grid->trials == 1);
    cr_expect(grid->n.count == 0 && grid->bits_per_key.count == 0 && grid->k.count == 16);
    experiment_free(e);
}

Test(experiment_good, every_experiment_of_the_project)
{
    size_t count = 0;
    DIR *folder = opendir("experiments");
    cr_assert(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml"))
            continue;
        snprintf(path, sizeof path, "experiments/%s", entry->d_name);
        struct experiment *e = good_read(path, "");
        cr_expect(!strncmp(e->name, entry->d_name, strlen(e->name)) &&
                      entry->d_name + strlen(e->name) == ending,
                  "%s is named %s", path, e->name);
        experiment_free(e);
        count++;
    }
    closedir(folder);
    cr_expect_geq(count, 2);
}
