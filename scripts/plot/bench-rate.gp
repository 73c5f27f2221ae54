# bench-rate.gp: rate against ns per key; columns as in lines.gp.
x_label = 'ns per key'
y_label = 'false-positive rate (model)'
black_name = 'frontier'
load scripts.'/lines.gp'
