#!/bin/bash
# Prints a python3 that has these modules; ends with 1 where there is none. usage: python.sh [MODULE...]; default: the book's
modules=${*:-markdown_it pygments}
for python in python3 /usr/bin/python3 "$(dirname "$0")/../../build/python/bin/python3"; do
    if "$python" -c "import ${modules// /, }" 2>/dev/null; then
        echo "$python"
        exit 0
    fi
done
exit 1
