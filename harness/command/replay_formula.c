/* SPDX-License-Identifier: MIT */
#include "harness/command/replay_formula.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct replay_formula {
    const char *name, *expression, *reference;
} replay_formulas[] = {
    {"fpr_standard", "(1 - e^(-{k}*{n}/{m}))^{k}",
     "the limit for large m; Broder & Mitzenmacher, Internet Mathematics 1(4), 2004"},
    {"fpr_bloom", "(1 - (1 - 1/{m})^({k}*{n}))^{k}",
     "Bloom, CACM 13(7), 1970; Mullin, CACM 26(8), 1983"},
    {"fpr_exact", "E[(X/{m})^{k}], X: occupied cells after {kn} throws into {m}",
     "Bose et al., IPL 108, 2008; Christensen, Roginsky, Jimeno, IPL 110, 2010"},
    {"fpr_second_order", "a^{k} + {k}({k}-1)/2 a^({k}-2) Var[X]/{m}^2, a = E[X]/{m}", NULL},
    {"fpr_narrow_digests", "E[f] with positions (uniform {w}-bit value) reduced to {m}", NULL},
    {"width_floor", "1 - (1 - 2^(-{w}*{d}))^{n}", NULL},
    {"blocked_poisson_standard", "sum_i Poisson(i; {load}) (1 - e^(-{k} i/{B}))^{k}", NULL},
    {"blocked_poisson_bloom", "sum_i Poisson(i; {load}) (1 - (1 - 1/{B})^({k} i))^{k}", NULL},
    {"blocked_poisson_exact", "sum_i Poisson(i; {load}) exact({B}, i, {k})", NULL},
    {"blocked_binomial_standard", "sum_i Binomial(i; {n}, 1/{nb}) (1 - e^(-{k} i/{B}))^{k}", NULL},
    {"blocked_binomial_bloom", "sum_i Binomial(i; {n}, 1/{nb}) (1 - (1 - 1/{B})^({k} i))^{k}",
     NULL},
    {"blocked_binomial_exact", "sum_i Binomial(i; {n}, 1/{nb}) exact({B}, i, {k})",
     "Putze, Sanders, Singler, JEA 14, 2009, with binomial loads"},
    {"split_poisson", "sum_i Poisson(i; {load}) (1 - (1 - 1/{b})^i)^8", NULL},
    {"split_binomial", "sum_i Binomial(i; {n}, 1/{nb}) (1 - (1 - 1/{b})^i)^8",
     "Putze, Sanders, Singler, JEA 14, 2009, with binomial loads and one bit per word"},
    {"partitioned", "(1 - (1 - 1/{s})^{n})^{k}",
     "Kirsch & Mitzenmacher, RSA 33(2), 2008; Almeida et al., IPL 101(6), 2007"},
    {"double_exact",
     "avg over queries of sum over S in the query's cells of (-1)^|S| (share of "
     "keys that miss S)^{n}",
     "inclusion and exclusion; scheme: Kirsch & Mitzenmacher, RSA 33(2), 2008"},
    {"enhanced_exact",
     "avg over queries of sum over S in the query's cells of (-1)^|S| (share of "
     "keys that miss S)^{n}",
     "inclusion and exclusion; scheme: Dillinger & Manolios, FMCAD 2004"},
    {"simulation",
     "mean of f over simulated filters of {m} bits, {n} keys, {k} probes with ideal "
     "digests",
     "fixed seed: the same value on every machine"},
    {"compound", "1 - prod over the slices of (1 - exact(slice))",
     "Almeida, Baquero, Preguica, Hutchison, IPL 101(6), 2007"},
    {"always_present", "1", "a filter that says yes to everything"},
    {"slices fpr_standard", "1 - prod over the slices of (1 - (1 - e^(-k_l n_l/m_l))^k_l)", NULL},
    {"slices fpr_bloom", "1 - prod over the slices of (1 - (1 - (1 - 1/m_l)^(k_l n_l))^k_l)", NULL},
    {"slices fpr_exact", "1 - prod over the slices of (1 - exact(m_l, n_l, k_l))", NULL},
    {"scalable_all_full", "1 - prod over the slices of (1 - rate of the slice when full)", NULL},
    {"scalable_union_bound", "sum over the slices of their rates", NULL},
    {"scalable_almeida_bound", "P0/(1 - r)", NULL},
    {"f_t classic", "(X/{m})^{k}", NULL},
    {"f_t counting", "(X/{m})^{k}, X: non-zero counters", NULL},
    {"f_t partitioned", "prod over the {k} slices of X_i/{s}", NULL},
    {"f_t blocked", "1/{nb} sum over the blocks of (X_b/{B})^{k}", NULL},
    {"f_t split_block", "1/{nb} sum over the blocks of prod over the words of X_bw/{b}", NULL},
    {"f_t double_hashing",
     "share of the pairs (a, b) whose positions a + i b mod {m}, i < {k}, are "
     "all set",
     NULL},
    {"f_t enhanced_double",
     "share of the pairs (a, b) whose positions a + i b + (i^3 - i)/6 mod "
     "{m}, i < {k}, are all set",
     NULL},
    {"f_t scalable_linear", "1 - prod over the slices of (1 - (X_l/m_l)^k_l)", NULL},
    {"f_t scalable_exponential", "1 - prod over the slices of (1 - (X_l/m_l)^k_l)", NULL},
    {"E[X] classic", "{m} (1 - (1 - 1/{m})^({k}*{n}))", NULL},
    {"E[X] counting", "{m} (1 - (1 - 1/{m})^({k}*{n}))", NULL},
    {"E[X] partitioned", "{k} {s} (1 - (1 - 1/{s})^{n})", NULL},
    {"E[X] blocked", "{m} (1 - (1 - a/{nb})^{n}), a = 1 - (1 - 1/{B})^{k}", NULL},
    {"E[X] split_block", "{m} (1 - (1 - 1/({b}*{nb}))^{n})", NULL},
    {"E[X] double_hashing", "{m} (1 - (1 - d/{m})^{n}), d: mean of a key's distinct positions",
     NULL},
    {"E[X] enhanced_double", "{m} (1 - (1 - d/{m})^{n}), d: mean of a key's distinct positions",
     NULL},
    {"E[X] scalable_linear", "sum over the slices of m_l (1 - (1 - 1/m_l)^(k_l n_l))", NULL},
    {"E[X] scalable_exponential", "sum over the slices of m_l (1 - (1 - 1/m_l)^(k_l n_l))", NULL},
    {"counter_overflow", "P(Binomial({kn}, 1/{m}) >= 2^counter_bits)", NULL},
};

static const struct replay_formula *formula_find(const char *name)
{
    for (size_t i = 0; i < sizeof replay_formulas / sizeof *replay_formulas; i++)
        if (strcmp(replay_formulas[i].name, name) == 0)
            return &replay_formulas[i];
    return NULL;
}

const char *formula_expression(const char *name)
{
    const struct replay_formula *formula = formula_find(name);
    return formula ? formula->expression : NULL;
}

const char *formula_reference(const char *name)
{
    const struct replay_formula *formula = formula_find(name);
    return formula ? formula->reference : NULL;
}

const char *formula_of_model(const struct cell *cell, const char *model)
{
    const char *filter = cell->ops->name;
    if (!model)
        return "";
    if (strcmp(model, "binomial_blocks") == 0)
        return strcmp(filter, "blocked") == 0 ? "blocked_binomial_exact" : "split_binomial";
    if (strcmp(model, "exact") != 0)
        return model;
    if (strcmp(filter, "double_hashing") == 0)
        return "double_exact";
    return strcmp(filter, "enhanced_double") == 0 ? "enhanced_exact" : "fpr_exact";
}

/* The number behind "NAME=" among the cell's parameters; `fallback` where there is none. */
static uint64_t formula_param(const struct cell *cell, const char *name, uint64_t fallback)
{
    size_t size = strlen(name);
    for (const char *at = cell->params; at; at = strchr(at, ';')) {
        at += *at == ';';
        if (strncmp(at, name, size) == 0 && at[size] == '=')
            return strtoull(at + size + 1, NULL, 10);
    }
    return fallback;
}

static void formula_number(struct text *text, const char *symbol, size_t size,
                           const struct cell *cell)
{
    const struct layout *layout = &cell->layout;
    uint64_t m = layout->m, n = cell->n, k = layout->k,
             block = formula_param(cell, "block_bits", m);
    const struct {
        const char *symbol;
        uint64_t value;
    } values[] = {
        {"m", m},
        {"n", n},
        {"k", k},
        {"kn", k * n},
        {"s", k ? m / k : m},
        {"B", block},
        {"nb", block ? m / block : 1},
        {"b", block / 8},
        {"w", layout->params.digest_bits},
        {"d", layout->columns},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strlen(values[i].symbol) == size && memcmp(values[i].symbol, symbol, size) == 0) {
            text_printf(text, "%" PRIu64, values[i].value);
            return;
        }
    if (size == 4 && memcmp(symbol, "load", 4) == 0)
        text_printf(text, "%.6g", (double)n * (double)block / (double)m);
    else
        text_add(text, symbol, size);
}

static void formula_write(struct text *text, const char *expression, const struct cell *cell)
{
    while (*expression) {
        size_t plain = strcspn(expression, "{");
        text_add(text, expression, plain);
        expression += plain;
        const char *end = strchr(expression, '}');
        if (!end)
            break;
        if (cell)
            formula_number(text, expression + 1, (size_t)(end - expression) - 1, cell);
        else
            text_add(text, expression + 1, (size_t)(end - expression) - 1);
        expression = end + 1;
    }
}

void formula_symbols(struct text *text, const char *expression)
{
    formula_write(text, expression, NULL);
}

void formula_numbers(struct text *text, const char *expression, const struct cell *cell)
{
    formula_write(text, expression, cell);
}
