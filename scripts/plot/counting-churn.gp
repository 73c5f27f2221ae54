# counting-churn.gp: rate and stuck counters against the keys ever inserted; columns as in curves.gp.
array box_label[2] = ['false-positive rate', 'share of counters stuck']
array box_lines[2] = ['', '']
box_cm[1] = 3.4
box_cm[2] = 3.4
line_name = 'theory'
load scripts.'/curves.gp'
