/* Every source of claims, in the order of the tables, one line each. */
SOURCE(000)
SOURCE(003)
SOURCE(001)
SOURCE(bloom_1970)
SOURCE(002)
SOURCE(004)
