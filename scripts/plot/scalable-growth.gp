# scalable-growth.gp: rate, slices and bits per key against n; columns as in curves.gp.
array box_label[3] = ['false-positive rate', 'slices', 'bits per key']
array box_lines[3] = ['', '', '']
box_cm[1] = 3.4
box_cm[2] = 2.4
box_cm[3] = 2.4
line_name = 'model (rate)'
guide_name = 'bound (rate)'
load scripts.'/curves.gp'
