#!/bin/bash
# Help, and wrong usage.
# usage: usage.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

run 'help' 0 'usage: ./run_all.sh --exercises' ./run_all.sh --exercises --help
run 'an unknown step' 2 'there is no exercise of that name' ./run_all.sh --exercises 99
run 'an unknown option' 2 'unknown option' ./run_all.sh --exercises --nxt
run 'a hint for nothing' 2 'a value is needed' ./run_all.sh --exercises --hint
run 'a hint for no exercise' 2 'there is no exercise of that name' ./run_all.sh --exercises --hint naive
finish
