# Part of cpucc: builds the tools and the run-time library into the folder $tools.
# shellcheck shell=bash disable=SC2154,SC2046,SC2086 # the variables are those of cpucc; lists of words
#
#   compile, nvcc_syntax, pch   the front end
#   runtime.a              the run time
#   toolkit/               folders as of a CUDA toolkit, with these headers and the run time as its libraries
#   absent/                headers that say what cpucc lacks
#   host.ll                a function that clang compiled for this machine: its properties, for compile
#   undefined              clang's option that allows a program to pass unwritten variables to functions
#   linker                 the option for the fastest linker installed
#   ld                     the command that links $tools/in.o to out, a word per line
"${cxx[@]}" --version >/dev/null 2>&1 || fail "cannot run $clang"
mkdir "$work/tools"
for skipped in $("$home/find_clang.sh" --skipped); do
    echo "cpucc: warning: $skipped has LLVM built in; using $clang" >&2
done
libllvm_of() { ldd "$1" 2>/dev/null | sed -n 's/.*=> \(.*libLLVM[-.][^ ]*\) .*/\1/p'; } # PROGRAM
library=$(libllvm_of "$(readlink -f "$(command -v "$clang")")")
if [ -z "$library" ]; then # $clang may be a script
    resources=$("${cxx[@]}" -print-resource-dir)
    library=$(libllvm_of "${resources%/lib*/clang/*}/bin/clang")
fi
[ -n "$library" ] || fail "$clang has LLVM built in: cpucc needs one that uses libLLVM as a shared library (apt-get install clang)"
# Files of one line compile together, which takes a third of the time; two with the same name for different things
# belong to different lines. Not optimised: nearly all time of `compile` is LLVM's.
while read -r together; do
    groups+=("$work/${together%% *}.c")
    printf '#include <%s.c>\n' $together >"${groups[-1]}"
done <<'END'
compile inline host merge merge_address merge_narrow merge_split may_differ
guard speculated guard_values guard_checks alignment uninitialised flags pointers shuffles
unroll unroll_rounds unroll_size unroll_may_differ loops mark_loops
retarget globals shared assembly ptx_parse ptx_check ptx_mma ir map
seal seal_names seal_accesses seal_pointers sites
kernels instrument header
END
(cd "$home/frontend" && exec "${cc[@]}" -std=gnu11 -O0 -I. -D_GNU_SOURCE= -Werror=implicit-function-declaration \
    -o "$work/tools/compile" "${groups[@]}" ../core/private_heap.c "$library" -lstdc++) &
for name in nvcc_syntax pch; do
    (cd "$home/frontend" && exec "${cc[@]}" -std=gnu11 -O0 -w -o "$work/tools/$name" $name.c) &
done
# The run time: the C files of its folders, and those of frontend/ that run with the program.
parts=$(cd "$home" && echo {core,memory,counting,execution,checks,reports,api,libraries}/*.c \
    frontend/{intrinsics,ptx,ptx_arithmetic,ptx_together,ptx_parse,ptx_mma,ptx_matrix}.c)
mkdir "$work/tools/absent"
# A toolkit's folders, for CMake and other linkers. A library is a text that names the run time.
mkdir -p "$work/tools/toolkit/"{bin,lib64/stubs,nvvm/libdevice}
cp -R "$home/include" "$work/tools/toolkit/include" # a copy: the tools may outlive this folder
for name in lib{cudart.so,cudart_static.a,cudadevrt.a,cublas.so,cublasLt.so,cublas_static.a,culibos.a,nvToolsExt.so} stubs/libcuda.so; do
    echo "INPUT($tools/runtime.a -lboost_context -lm)" >"$work/tools/toolkit/lib64/$name"
done
while read -r line; do
    case $line in
    '#'*) ;;
    *:) why=${line%:} ;;
    *)
        for name in $line; do
            echo "#error \"cpucc: <$name> is not supported ($why)\"" >"$work/tools/absent/$name"
        done
        ;;
    esac
done <"$home/absent_headers.txt"
cores=$(nproc) running=3
for c in $parts ../traffic/traffic.c; do
    name=${c##*/}
    built+=("$work/tools/${name%.c}.o")
    [ $((running += 1)) -le "$cores" ] || wait -n || true
    # Code that does not run at each access is not optimised: that compiles in half the time.
    case $c in api/* | reports/* | libraries/runtime_*) level=-O0 ;; *) level=-O2 ;; esac
    # Runs in page/, because report_html.c includes that folder's files. Debuggers learn struct lane from state.c.
    types=-g0; [ "$c" != core/state.c ] || types=-gdwarf-4
    (cd "$home/page" && exec "${cc[@]}" -std=gnu11 $level $types -fPIC -fno-builtin-memcpy -c "$home/$c" -o "${built[-1]}") &
done
wait
for name in compile nvcc_syntax pch; do
    [ -x "$work/tools/$name" ] || fail "cannot compile $home/frontend"
done
for c in "${built[@]}"; do
    [ -f "$c" ] || fail "cannot compile the run time in $home: no ${c##*/}"
done
echo 'void f(int *p) { *p = 0; }' |
    "${cxx[@]}" -x c -S -emit-llvm -o "$work/tools/host.ll" - || fail "cannot run $clang"
for word in -no-enable-noundef-analysis -disable-noundef-analysis; do
    if "${cxx[@]}" -x c -Xclang $word -fsyntax-only /dev/null 2>/dev/null; then
        echo "-Xclang $word" >"$work/tools/undefined"
        break
    fi
done
echo 'int main(void) { return 0; }' >"$work/try.c"
"${cc[@]}" "$work/try.c" -o "$work/try" -lboost_context 2>/dev/null ||
    fail "no Boost.Context library (apt-get install libboost-context-dev)"
: >"$work/tools/linker"
for word in gold lld; do
    if "${cxx[@]}" "-fuse-ld=$word" "$work/try.c" -o "$work/try" 2>/dev/null && "$work/try"; then
        echo "-fuse-ld=$word" >"$work/tools/linker"
        break
    fi
done
: >"$work/tools/in.o"
eval "words=($("${cxx[@]}" -### $(cat "$work/tools/linker") -Wl,--build-id=none "$work/tools/in.o" -o out -lboost_context -lm 2>&1 | tail -1))"
printf '%s\n' "${words[@]/"$work/tools"/"$tools"}" >"$work/tools/ld"
rm "$work/tools/in.o"
"${cxx[@]}" -x c++ -include utility -fsyntax-only /dev/null 2>/dev/null ||
    fail "no C++ standard library for $clang (apt-get install g++)"
(cd "$work/tools" && ar rc runtime.a ./*.o && rm ./*.o)
# Puts the run time's code into a section of its own, which tells it from the program's code.
objcopy --rename-section .text=cpucc_run,alloc,load,readonly,code,contents "$work/tools/runtime.a"
# Copies to a temporary folder, then renames it: $work may be on another file system.
if ! new=$(mktemp -d "$cache/new.XXXXXX") || ! own "$new" || ! cp -r "$work/tools/." "$new"; then
    fail "cannot write $cache"
fi
mv -T "$new" "$tools" 2>/dev/null || { rm -rf "$new"; [ -f "$tools/runtime.a" ]; } ||
    fail "cannot write $tools"
