#!/bin/bash
# What is committed is what plots/record.sh makes of the recorded results. usage: recorded.sh
. "$(dirname "$0")/plots.sh"
check "committed tables, figures and bank maps are up to date" "$plots/record.sh" --check
finish
