/* SPDX-License-Identifier: MIT
 *
 * classic.h: the classic filter behind functions of fixed addresses, so that a broken variant can
 * be a constant that names them and replaces one.
 */
#ifndef BLOOMLAB_TESTS_BROKEN_CLASSIC_H
#define BLOOMLAB_TESTS_BROKEN_CLASSIC_H

#include "filters/standard.h"
#include "tests/broken/broken.h"

enum status sound_plan(struct layout *layout, const struct filter_params *params,
                       struct error *err);
enum status sound_insert(struct filter *f, struct digests *batch, void *scratch, struct error *err);
uint64_t sound_query(const struct filter *f, uint8_t *present, struct digests *batch,
                     void *scratch);
struct estimate sound_fpr_scheme(const struct filter *f);

#define SOUND_CLASSIC(NAME)                                                                        \
    .name = NAME, .summary = "broken on purpose", .source = "none", .axes = AXES_ALL,              \
    .capabilities = CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY |          \
                    CAN_ANSWER_MEMBERSHIP,                                                         \
    .init = standard_init, .count_bits = standard_count_bits,                                      \
    .expected_fpr = standard_expected_fpr, .expected_fill = standard_expected_fill

#endif
