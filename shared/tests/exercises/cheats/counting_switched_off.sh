# Counting switched off.
refused 'calls .*cpucc_record.*, which' <<<"$(launching 'cpucc_record(0);' '')"
