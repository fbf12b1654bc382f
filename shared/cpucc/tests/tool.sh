#!/bin/bash
# Tests the installed cpucc: `cpucc run`, its exit statuses and reports, a list of files, and the manual
# page.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$shared/cpucc
cd "$work" || exit 1

# Installs into a folder with a blank in its name, by DESTDIR.
prefix="/opt/my tools"
expect 0 make -C "$source" install PREFIX="$prefix" DESTDIR="$work/stage"
mv "stage$prefix" "$work/my tools"
cpucc="$work/my tools/bin/cpucc"
expect 0 "$cpucc" --version
says '^cpucc [0-9.]* with .*clang'
expect 0 "$cpucc" --help
says 'cpucc run'
says 'Exit status'

cat >says.cu <<'END'
#include <cstdio>
#include <cstdlib>
#ifndef SIZE
#define SIZE 32
#endif
__global__ void kernel(int *p) { p[threadIdx.x] = 1; }
int main(int count, char **word)
{
    int *p;
    for (int i = 1; i < count; i++)
        printf("<%s>", word[i]);
    printf("\n");
    if (count > 2 && word[2][0] == 'e')
        exit(7);
    if (count > 2 && word[2][0] == 'a')
        abort();
    cudaMalloc(&p, 32 * sizeof *p);
    kernel<<<1, SIZE>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
echo 'int main() { return undeclared; }' >wrong.cu
export CPUCC_REPORT=off
expect 0 "$cpucc" run says.cu one 'two words' -o
says '^<one><two words><-o>$'
expect 0 "$cpucc" run says.cu -- -I
says '^<-I>$'
expect 1 "$cpucc" run -D SIZE=64 says.cu
says 'says\.cu:6: fault: '
expect 7 "$cpucc" run says.cu one e
expect 134 "$cpucc" run says.cu one a
says 'cpucc run: says was ended by signal ABRT'
expect 1 "$cpucc" run wrong.cu
says 'undeclared'
expect 2 "$cpucc" run
says 'no source file'
expect 2 "$cpucc" run says.cu -o x --
expect 2 "$cpucc" run -o x says.cu
says 'built, run and removed'
expect 2 "$cpucc"
check 'nothing is left' test -z "$(find . -maxdepth 1 -name '*.o' -o -maxdepth 1 -type f -perm /111)"

# A list of files, with a report for each.
mkdir sub
cp says.cu sub/faulty.cu
sed -i 's/SIZE 32/SIZE 33/' sub/faulty.cu
cat >loops.cu <<'END'
int main() { __builtin_trap(); }
END
expect 1 "$work/my tools/lib/cpucc/cpucc/run_list.sh" reports says.cu ./sub/faulty.cu \
    wrong.cu loops.cu
says '^passed: says\.cu$'
says '^failed: \./sub/faulty\.cu (status 1)$'
check 'a report of each' test "$(cd reports && echo *)" = 'loops.xml says.xml sub_faulty.xml wrong.xml'
check 'passed' grep -q 'failures="0"' reports/says.xml
check 'a fault' grep -q '<failure type="out_of_bounds"' reports/sub_faulty.xml
check 'not compiled' grep -q '<error type="compile" .*undeclared' reports/wrong.xml
check 'ended by a signal' grep -q '<error type="signal"' reports/loops.xml
if command -v python3 >/dev/null; then
    check 'all are XML' python3 -c 'import sys, xml.etree.ElementTree as x; [x.parse(f) for f in sys.argv[1:]]' reports/*.xml
fi
expect 2 "$source/run_list.sh" reports

# The manual page names every format and variable.
page="$work/my tools/share/man/man1/cpucc.1"
for word in $(grep -oh 'CPUCC_[A-Z_0-9]*' <<<"$(grep -h 'getenv\|from_environment' "$source"/{api,checks,core,execution,memory,reports}/*.c)" | sort -u) \
    $(sed -n '/^} formats/,/};/p' "$source/reports/report.c" | grep -o '"[a-z]*"' | tr -d '"'); do
    check "$word is in the manual page" grep -q "$word" "$page"
done
if command -v man >/dev/null; then
    check 'the manual page is well formed' test -z "$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)"
fi
expect 0 make -C "$source" uninstall PREFIX="$work/my tools"
check 'uninstalled' test -z "$(find "$work/my tools" -type f -o -type l)"
finish
