/* Every family of plots, one line each; what a run gets that asks for none is chosen in plot.c. */
PLOT(rate)
PLOT(fpr_vs_k)
PLOT(source_001)
PLOT(calibration)
PLOT(power)
