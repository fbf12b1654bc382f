# A program started.
refused 'calls system, which' <<<"$(launching 'if (system("true")) return;' '')"
