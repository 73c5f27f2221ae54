/* Every filter, in report order, one line each. Included wherever the whole list is needed. */
FILTER(classic)
FILTER(double_hashing)
FILTER(enhanced_double)
FILTER(partitioned)
FILTER(counting)
FILTER(null)
