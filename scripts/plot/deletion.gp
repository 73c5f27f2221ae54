# deletion.gp: keys lost, share of harmful keys and the first over theory, against k; columns as in curves.gp.
array box_label[3] = ['lost keys', 'harmful share', 'ratio']
array box_lines[3] = ['', '', 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 3.2
box_cm[2] = 2.2
box_cm[3] = 1.4
line_name = 'theory'
load scripts.'/curves.gp'
