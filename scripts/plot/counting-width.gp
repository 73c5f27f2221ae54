# counting-width.gp: counters at their top value, increments lost, and the first over theory, against the
# load; columns as in curves.gp.
array box_label[3] = ['counters at their top', 'lost increments a counter', 'ratio']
array box_lines[3] = ['', '', 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 3.4
box_cm[2] = 3.8
box_cm[3] = 1.6
line_name = 'theory'
load scripts.'/curves.gp'
