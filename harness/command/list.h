/* Every subcommand, in the order of --help, one line each. */
COMMAND(sweep)
COMMAND(list)
COMMAND(predict)
COMMAND(size)
COMMAND(hash)
COMMAND(plot)
COMMAND(verify)
COMMAND(replay)
