#!/bin/bash
# One answer that must not pass whatever it does, or that must be stopped; each is handed in for
# the exercise naive4_stores. usage: cheat.sh FILE FOLDER, the folder that tools.sh has made
name=naive4_stores tools=$2
. "$(dirname "$0")/exercises.sh"
# shellcheck source=/dev/null
. "$1"
finish
