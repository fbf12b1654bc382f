# An exception that nobody catches.
refused 'crashed|does not compile|must return|calls' <<<"$(launching 'throw 1;' '')"
