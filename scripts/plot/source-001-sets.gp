# source-001-sets.gp: the mean rate over key sets, and the share of sets in which a k is the best, against k;
# columns as in curves.gp.
array box_label[2] = ['false-positive rate', 'share of sets, k best']
array box_lines[2] = ['', '']
box_cm[1] = 4.2
box_cm[2] = 3
line_name = 'exact expectation'
guide_name = 'standard formula'
load scripts.'/curves.gp'
