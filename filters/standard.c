/* SPDX-License-Identifier: MIT */
#include "filters/standard.h"

#include <math.h>
#include <string.h>

#include "filters/bits.h"
#include "filters/theory/cardinality.h"
#include "filters/theory/classic.h"
#include "filters/theory/deletion.h"

void standard_init(struct filter *f)
{
    memset(f->memory, 0, f->layout->bytes);
    f->inserted = f->overflows = f->refused = f->degenerate = 0;
}

uint64_t standard_count_bits(const struct filter *f)
{
    return bits_count(f->memory, f->layout->bytes);
}

double standard_fpr_bits(const struct filter *f)
{
    return pow((double)f->ops->count_bits(f) / (double)f->layout->m, f->layout->k);
}

double standard_cardinality(const struct filter *f)
{
    return theory_cardinality(f->layout->m, f->layout->k, f->ops->count_bits(f));
}

void standard_expected_cardinality(const struct layout *layout, uint64_t n,
                                   const struct moments *fill, struct moments *moments)
{
    (void)n;
    *moments = theory_cardinality_delta(layout->m, (double)layout->m / layout->k, *fill);
}

enum status standard_same_layout(const struct filter *a, const struct filter *b, struct error *err)
{
    const struct layout *la = a->layout, *lb = b->layout;
    if (a->ops != b->ops)
        return fail(err, E_INPUT, "cannot merge a %s filter with a %s filter", a->ops->name,
                    b->ops->name);
    if (la->m != lb->m)
        return fail(err, E_INPUT, "cannot merge filters of m %llu and m %llu",
                    (unsigned long long)la->m, (unsigned long long)lb->m);
    if (la->k != lb->k)
        return fail(err, E_INPUT, "cannot merge filters of k %u and k %u", la->k, lb->k);
    if (la->params.reduction != lb->params.reduction)
        return fail(err, E_INPUT, "cannot merge filters of reduction %s and %s",
                    reduction_name(la->params.reduction), reduction_name(lb->params.reduction));
    if (la->params.digest_bits != lb->params.digest_bits)
        return fail(err, E_INPUT, "cannot merge filters of %u-bit and %u-bit digests",
                    la->params.digest_bits, lb->params.digest_bits);
    for (unsigned i = 0; i < FILTER_GEOMETRY_MAX; i++)
        if (la->geometry[i] != lb->geometry[i])
            return fail(err, E_INPUT, "cannot merge %s filters of different parameters",
                        a->ops->name);
    return OK;
}

enum status standard_merge(struct filter *a, const struct filter *b, enum merge_op op,
                           struct error *err)
{
    enum status status = standard_same_layout(a, b, err);
    if (status)
        return status;
    for (uint64_t i = 0; i < a->layout->bytes; i++)
        a->memory[i] =
            op == MERGE_UNION ? a->memory[i] | b->memory[i] : a->memory[i] & b->memory[i];
    if (op == MERGE_UNION) {
        a->inserted += b->inserted;
        a->degenerate += b->degenerate;
    } else if (b->inserted < a->inserted) {
        a->inserted = b->inserted;
    }
    return OK;
}

void standard_expected_fpr(const struct layout *layout, uint64_t n, struct model *model)
{
    *model = (struct model){
        .fpr = theory_fpr_exact(layout->m, n, layout->k),
        .variance = theory_fpr_variance(layout->m, n, layout->k),
        .name = "exact",
    };
}

void standard_expected_fill(const struct layout *layout, uint64_t n, struct moments *moments)
{
    *moments = theory_fill(layout->m, n * layout->k);
}

double standard_expected_overlap(const struct layout *layout, double others)
{
    return theory_overlap_independent(layout->m, layout->k, others);
}

void standard_probes(const struct filter *f, uint64_t *position, struct digests *batch,
                     void *scratch)
{
    (void)scratch;
    const struct layout *layout = f->layout;
    for (unsigned probe = 0; probe < layout->k; probe++) {
        uint64_t *at = position + (size_t)probe * layout->batch;
        const uint64_t *digest = digests_column(batch, probe, NULL, batch->count, at);
        for (size_t i = 0; i < batch->count; i++)
            at[i] = reduce(&layout->reducer, digest[i]);
    }
}

bool standard_test(const struct filter *f, uint64_t position)
{
    return bits_test(f->memory, position);
}

void standard_probe_rates(const struct filter *f, double *single, double *pair)
{
    const unsigned k = f->layout->k;
    double fill = (double)f->ops->count_bits(f) / (double)f->layout->m;
    for (unsigned i = 0; i < k; i++) {
        single[i] = fill;
        for (unsigned j = i + 1; pair && j < k; j++)
            pair[i * k + j] = fill * fill;
    }
}
