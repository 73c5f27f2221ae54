# bench-size.gp: ns per key against the filter's bytes; columns as in lines.gp.
x_label = 'size of the filter, bytes'
y_label = 'ns per key'
black_name = 'floor: line reads'
load scripts.'/lines.gp'
