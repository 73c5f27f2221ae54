# linear-cost.gp: seconds of a sweep against members, queries, cells; columns as in lines.gp.
columns = 3
rows = 1
x_label = 'how many'
y_label = 'seconds'
black_name = 'in proportion'
black_dash = 15
load scripts.'/lines.gp'
