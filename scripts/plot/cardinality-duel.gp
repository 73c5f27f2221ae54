# cardinality-duel.gp: root mean square and mean of the relative error of estimates of cardinality, at
# equal memory, against n; columns as in curves.gp.
array box_label[2] = ['rms error / n', 'mean error / n']
array box_lines[2] = ['', 'set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 4.6
box_cm[2] = 2.4
line_name = 'theory'
load scripts.'/curves.gp'
