# digest-width.gp: the rate, and its ratio to the theory of narrow digests, against n/2^w; columns as in
# curves.gp.
array box_label[2] = ['false-positive rate', 'rate / theory']
array box_lines[2] = ['', 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 4.4
box_cm[2] = 1.9
line_name = 'theory'
load scripts.'/curves.gp'
