# hll-error.gp: mean and root mean square of the relative error of HyperLogLog's estimates, in units of
# 1.04/sqrt(m), against n; columns as in curves.gp.
array box_label[2] = ['mean error / (1.04/√m)', 'rms error / (1.04/√m)']
array box_lines[2] = ['set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb theory_colour lw 0.8 back', \
                      'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 3.6
box_cm[2] = 3.6
line_name = 'theory'
load scripts.'/curves.gp'
