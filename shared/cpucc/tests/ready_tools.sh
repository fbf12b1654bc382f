# For tests in which cpucc builds its tools and its run time anew, 20 seconds of processor time: sourced,
# after checks.sh. The folder `ready` holds what the usual cache has of them.
# shellcheck shell=bash disable=SC2154
ready=$work/ready
mkdir "$ready"
echo 'int main() {}' >"$work/ready.cu"
"$shared/cpucc/cpucc" --keep "$ready" "$work/ready.cu" -o "$work/ready.out" || exit 1
tools=$(grep -m 1 '/runtime\.a$' "$ready/link")
find "${tools%/*}" -maxdepth 1 -type f -exec cp {} "$ready" \;
(cd "$ready" && ar x runtime.a) || exit 1

# compiler_of_ready FILE CLANG: a compiler that copies what lies in `ready` where it is to build that,
# and is CLANG for all else.
compiler_of_ready() {
    cat >"$1" <<END
#!/bin/bash
for ((i = 1; i < \$#; i++)); do
    [ "\${!i}" = -o ] || continue
    i=\$((i + 1)) made=\${!i} # the word behind it
    [[ \$made != */tools/* ]] || [ ! -f "$ready/\${made##*/}" ] || exec cp "$ready/\${made##*/}" "\$made"
done
exec "$2" "\$@"
END
    chmod +x "$1"
}
