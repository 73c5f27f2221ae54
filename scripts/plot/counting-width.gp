# counting-width.gp: saturated counters, and filters in which one overflowed, against the load; columns as in
# curves.gp.
array box_label[2] = ['saturated counters', 'filters with an overflow']
array box_lines[2] = ['', '']
box_cm[1] = 3.6
box_cm[2] = 3.6
line_name = 'theory'
guide_name = 'bound of Fan et al.'
load scripts.'/curves.gp'
