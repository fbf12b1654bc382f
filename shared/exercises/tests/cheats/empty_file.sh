# An empty file.
refused 'launches nothing: its last line must be EXERCISE' </dev/null
