/* Every filter, in report order, one line each. Included wherever the whole list is needed. */
FILTER(classic)
FILTER(double_hashing)
FILTER(blocked)
FILTER(split_block)
FILTER(scalable_linear)
FILTER(scalable_exponential)
FILTER(hyperloglog)
FILTER(null)
