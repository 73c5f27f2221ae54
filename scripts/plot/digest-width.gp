# digest-width.gp: the rate against n/2^W and its floor; columns as in rate.gp.
load scripts.'/rate.gp'
