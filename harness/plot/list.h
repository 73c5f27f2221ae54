/* Every family of plots, one line each; what a run gets that asks for none is chosen in plot.c. */
PLOT(rate)
PLOT(fpr_vs_k)
PLOT(dh_gap)
PLOT(blocked_penalty)
PLOT(fpr_vs_bits_per_key)
PLOT(fill_up)
PLOT(source_001)
