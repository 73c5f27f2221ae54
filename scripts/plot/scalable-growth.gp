# scalable-growth.gp: rate, its ratio to the model, slices and bits per key against n; columns as in
# curves.gp.
array box_label[4] = ['false-positive rate', 'rate / model', 'slices', 'bits per key']
array box_lines[4] = ['', 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back', '', '']
box_cm[1] = 3.6
box_cm[2] = 1.5
box_cm[3] = 2.2
box_cm[4] = 2.4
line_name = 'model (rate)'
load scripts.'/curves.gp'
