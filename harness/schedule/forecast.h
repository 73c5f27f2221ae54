/* SPDX-License-Identifier: MIT
 *
 * forecast.h: about how long a plan will take, from costs measured on the spot.
 */
#ifndef BLOOMLAB_SCHEDULE_FORECAST_H
#define BLOOMLAB_SCHEDULE_FORECAST_H

#include "harness/schedule/schedule.h"

/* Seconds for all trials of a plan; good to a factor of three. Theory, tables and plots come on
 * top. Measuring takes about 50 ms. NaN: the costs could not be measured. */
double schedule_forecast(const struct plan *plan, const struct schedule *schedule);

#endif
