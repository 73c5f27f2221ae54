# dh-gap.gp: measured/exact - 1 against m, both logarithmic; columns as in curves.gp.
array box_label[1] = ['rate / exact − 1']
array box_lines[1] = ['']
box_cm[1] = 5.2
line_name = 'model'
guide_name = 'C/m'
load scripts.'/curves.gp'
