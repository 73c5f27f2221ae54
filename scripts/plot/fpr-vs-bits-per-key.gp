# fpr-vs-bits-per-key.gp: the price of a rate; columns as in rate.gp, the strip is bits per key beyond the
# limit of information.
strip_label = 'extra bits/key'
strip_line = 0
load scripts.'/rate.gp'
