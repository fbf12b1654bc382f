# No launch.
refused 'no kernel was launched|nobody wrote' <<<"$(without_launch '')"
