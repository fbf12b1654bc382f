# For tests in which cpucc builds its tools and run time anew, which takes 20 seconds of processor time.
# Sourced, after checks.sh. The folder `ready` gets copies of the built files from the usual cache.
# shellcheck shell=bash disable=SC2154
ready=$work/ready
mkdir "$ready"
echo 'int main() {}' >"$work/ready.cu"
"$shared/cpucc/cpucc" --keep "$ready" "$work/ready.cu" -o "$work/ready.out" || exit 1
tools=$(grep -m 1 '/runtime\.a$' "$ready/link")
find "${tools%/*}" -maxdepth 1 -type f -exec cp {} "$ready" \;
(cd "$ready" && ar x runtime.a) || exit 1

# compiler_of_ready FILE CLANG: makes FILE a compiler that copies its output from `ready` if it is there,
# and otherwise runs CLANG.
compiler_of_ready() {
    cat >"$1" <<END
#!/bin/bash
for ((i = 1; i < \$#; i++)); do
    [ "\${!i}" = -o ] || continue
    i=\$((i + 1)) made=\${!i} # the option's value
    [[ \$made != */tools/* ]] || [ ! -f "$ready/\${made##*/}" ] || exec cp "$ready/\${made##*/}" "\$made"
done
exec "$2" "\$@"
END
    chmod +x "$1"
}
