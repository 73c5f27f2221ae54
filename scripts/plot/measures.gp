# measures.gp: whatever else was measured, a box for each; columns as in curves.gp.
array box_label[4] = ['', '', '', '']
array box_lines[4] = ['', '', '', '']
do for [b = 1:boxes_given] {
    box_label[b] = box_name[b]
    box_cm[b] = boxes_given > 1 ? 2.6 : 4.4
}
load scripts.'/curves.gp'
