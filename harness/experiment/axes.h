/* SPDX-License-Identifier: MIT
 *
 * axes.h: the axes of a grid, one reader each, and the grid they make.
 */
#ifndef BLOOMLAB_AXES_H
#define BLOOMLAB_AXES_H

#include "harness/experiment/decode.h"
#include "harness/experiment/experiment.h"

/* Readers for rules whose offset is that of the struct grid. */
enum status axis_filters(const struct decoder *d, const struct node *key,
                         const struct key_rule *rule, void *grid);
enum status axis_hashes(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *grid);
enum status axis_keys(const struct decoder *d, const struct node *key, const struct key_rule *rule,
                      void *grid);

/* Whether the key sets of a grid tell n themselves: all are explicit, with members that end. */
bool keys_tell_n(const struct grid *grid);

/* Explicit members are sampled where the grid tells n. */
void keys_sample(struct grid *grid);

enum status axis_faults(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *grid);

/* Appends the values of a parameter that `owner` (a filter, a workload) calls its own. */
enum status axis_params(const struct decoder *d, const struct node *key, const char *owner,
                        const struct param_spec *spec, struct param_list *list);

/* `trials` and `queries`, of a grid or of the defaults for grids. */
enum status axis_trials(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *grid);
enum status axis_queries(const struct decoder *d, const struct node *key,
                         const struct key_rule *rule, void *grid);

/* The mapping or the list of mappings under `key`. workload: whose parameters are axes too.
 * defaults: trials and queries where a grid has none of its own. On failure nothing is left behind.
 */
enum status grids_read(const struct decoder *d, const struct node *key, enum workload workload,
                       const struct grid *defaults, struct grid **grids, size_t *count);
void grids_free(struct grid *grids, size_t count);

#endif
