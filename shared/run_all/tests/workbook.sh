# Functions for the tests of run_all.sh: sourced. A small workbook of two steps that do what the
# environment says, so that a run takes a second, on the CPU even where there is a GPU.
# shellcheck shell=bash disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"

"$root/shared/cpucc/find_clang.sh" >/dev/null || { skip "no clang"; finish; }
unset EXERCISES_CALLER
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/nvidia-smi"
chmod +x "$work/bin/nvidia-smi"
export PATH="$work/bin:$PATH"

# make_workbook FOLDER: the scripts of this one, a plots/draw.sh that only notes what it is given,
# and steps that wait FAKE_SLEEP seconds (0), write as many rows as FAKE_ROWS says (1) and end with
# FAKE_STATUS (0).
make_workbook() {
    local step
    mkdir -p "$1/shared/peers" "$1/plots"
    cp "$root/run_all.sh" "$1"
    cp -r "$root"/shared/{run_all,cpucc,exercises,harness,layout,traffic} "$1/shared"
    cp -r "$root"/plots/*.{sh,py,gp} "$root/plots/results" "$1/plots"
    cat >"$1/plots/draw.sh" <<'END'
#!/bin/bash
echo "drawing $1"
sleep "${FAKE_DRAWING:-0}"
mkdir -p "$3" && ls "$1" >"$3/drawn" && date +%N >>"$3/drawn"
END
    for step in 01_first 02_second; do
        mkdir -p "$1/steps/$step"
        printf 'PROGRAM := %s\ninclude ../../shared/harness/step.mk\n' "${step#*_}" \
            >"$1/steps/$step/Makefile"
        cat >"$1/steps/$step/${step#*_}.cu" <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int number(const char *name, int otherwise)
{
    return getenv(name) ? atoi(getenv(name)) : otherwise;
}
int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/') + 1, *file = NULL;
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--tsv"))
            file = argv[i + 1];
    int status = number("FAKE_STATUS", 0);
    sleep((unsigned)number("FAKE_SLEEP", 0));
    if (status == 3)
        return status;
    FILE *f = fopen(file, "w");
    if (!f)
        return 1;
    fprintf(f, "# gpu: fake\n# headline %.*s: v compared with v\n", (int)strcspn(name, "."), name);
    fprintf(f, "step\tvariant\trows\tcols\tcounter\trequests\twork\tideal_work\n");
    for (int i = 0; i < number("FAKE_ROWS", 1); i++)
        fprintf(f, "%.*s\tv%d\t32\t32\tglobal_load\t32\t128\t128\n",
                (int)strcspn(name, "."), name, i);
    return fclose(f) ? 1 : status;
}
END
    done
}

# compile_once FOLDER: its cpucc compiles each program once, and hands out copies.
compile_once() {
    mv "$1/shared/cpucc/cpucc" "$1/shared/cpucc/compile"
    cat >"$1/shared/cpucc/cpucc" <<'END'
#!/bin/bash
here=$(dirname "$0")
for argument; do
    [[ $argument != *.cu ]] || kept=$here/$(cksum <"$argument" | tr ' ' -).program
done
program=${!#}
[ -f "$kept" ] || { "$here/compile" "$@" && cp "$program" "$kept.$$" && mv "$kept.$$" "$kept"; } || exit
cp "$kept" "$program"
END
    chmod +x "$1/shared/cpucc/cpucc"
}

# without_python COMMAND...: runs it where there is no python3.
without_python() {
    [ -d "$work/tools" ] || { mkdir "$work/tools" && ln -s /usr/bin/* "$work/tools" && rm "$work/tools"/python*; }
    PATH=$work/bin:$work/tools "$@"
}

# run_fake [VARIABLE=VALUE]...: ./run_all.sh of "$work/book" with these.
run_fake() { env "$@" "$work/book/run_all.sh" --size 32; }

# print_of FOLDER: checksums of its files, but for the scratch folder `parts`.
print_of() { (cd "$1" && find . -path ./parts -prune -o -type f -exec cksum {} + | sort); }
