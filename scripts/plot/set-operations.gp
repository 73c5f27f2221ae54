# set-operations.gp: estimated intersections over n, their error, and the rate of the AND; columns as in curves.gp.
array box_label[3] = ['estimate / n', 'error / n', 'FPR of the AND']
array box_lines[3] = ['', 'set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb theory_colour lw 0.8 back', '']
box_cm[1] = 3.6
box_cm[2] = 2.2
box_cm[3] = 2.6
line_name = 'theory'
guide_name = 'filter of the common keys'
load scripts.'/curves.gp'
