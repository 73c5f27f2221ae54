# blocked-penalty.gp: blocked / classic rate, and extra bits per key, against the size of a block; columns as
# in curves.gp.
array box_label[2] = ['rate / classic', 'extra bits per key']
array box_lines[2] = ['', 'set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 3.6
box_cm[2] = 3.2
line_name = 'model'
load scripts.'/curves.gp'
