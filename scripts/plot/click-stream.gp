# click-stream.gp: lost share of the next id and of all so far, and the latter over theory, against the ids
# seen; columns as in curves.gp.
array box_label[3] = ['share lost: next id', 'share lost: so far', 'so far / theory']
array box_lines[3] = ['', '', 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb theory_colour lw 0.8 back']
box_cm[1] = 3.6
box_cm[2] = 3.6
box_cm[3] = 1.6
line_name = 'theory'
load scripts.'/curves.gp'
