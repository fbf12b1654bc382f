# Part of cpucc: reads the command line as nvcc does (CUDA Compiler Driver NVCC, "NVCC Command Options").
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of cpucc
#
# read_options sets, from the arguments:
#   out compile_only language keep standard   -o, -c or -dc, -x, --keep, -std
#   shared archive device_link verbose        -shared, -lib, -dlink, -v
#   preprocess rule                           -E, -M or -MM instead of compiling; -MD, -MF, -MT, ... beside it
#   sealed                                    --sealed
#   sources objects                           files
#   pre link host                             options of the preprocessor, linker, host's compiler
#
# An option starts with one or two dashes. Its value is the next word or follows an equals sign. Options
# about GPU code have no effect; unknown options get a warning.

# Options that take a value.
with_value=' o output-file I include-path D define-macro U undefine-macro include pre-include MF MT MQ optf options-file
    isystem system-include L library-path l library std x x-language Xcompiler compiler-options Xlinker linker-options
    optimize sealed '
# nvcc's options that take a value and have no effect here.
no_effect_value=' arch gpu-architecture code gpu-code gencode generate-code maxrregcount Xptxas
    ptxas-options Xnvlink nvlink-options Xfatbin fatbin-options Xarchive archive-options ccbin
    compiler-bindir t threads split-compile diag-suppress diag-error diag-warn display-error-number
    cudart ftz prec-div prec-sqrt fmad default-stream rdc relocatable-device-code Werror
    target-directory tdir odir output-directory keep-dir brief-diagnostics optix-ir
    frandom-seed jump-table-density '
# nvcc's options without a value that have no effect here.
no_effect=' lineinfo generate-line-info use_fast_math extended-lambda
    expt-extended-lambda expt-relaxed-constexpr m64 w disable-warnings res-usage
    resource-usage keep clean-targets src-in-ptx restrict Wno-deprecated-gpu-targets no-compress
    noprof pg profile Wreorder Wno-deprecated-declarations Wdefault-stream-launch Wall Wextra
    fdevice-time-trace no-device-link device-stack-protector pthread-stubs
    no-host-device-initializer-list no-host-device-move-forward dopt allow-unsupported-compiler
    forward-unknown-to-host-compiler forward-unknown-opts lto dlto minimal static-global-template-stub
    save-temps Xarch_host rdynamic '

# knows LIST OPTION: whether the list contains the option.
knows() { [[ $1 == *[[:space:]]"$2"[[:space:]]* ]]; }

# Fails unless each architecture in the value is one of a GPU: sm_90a, compute_80, arch=compute_80,code=[sm_80,sm_90].
architectures() { # OPTION VALUE
    local word
    for word in ${2//[^A-Za-z0-9_=-]/ }; do
        word=${word##*=}
        [ -n "$word" ] || continue # code=[sm_80
        [[ $word =~ ^(native|all|all-major|(sm|compute|lto)_([2357][0-9]|6[0-2]|8[0-9]|90|1[0-2][0-9])[af]?)$ ]] ||
            fail "$1: there is no architecture '$word'"
    done
}

# Adds -lNAME to the linker's options, unless cpucc replaces the library. Fails for one that it lacks.
library() { # NAME
    case $1 in
    cuda | cudart | cudart_static | cudadevrt | nvToolsExt | cublas | cublasLt | cublas_static | \
        cublasLt_static | culibos) ;;
    cufft* | cusparse* | curand* | cudnn* | cusolver* | npp* | nccl* | nvrtc* | nvJitLink* | \
        nvjpeg* | cupti* | nvidia-ml)
        fail "library -l$1 is not supported: link a host library instead, for the CPU run"
        ;;
    *) link+=("-l$1") ;;
    esac
}

# Adds the words of -Xcompiler to clang's options, except warnings, which are meant for another compiler.
to_host_compiler() { # a,b,c or 'a b c'
    local word
    for word in ${1//,/ }; do
        case $word in
        -W* | -w | -pedantic*) ;;
        -pthread | -fopenmp) host+=("$word") link+=("$word") ;;
        *) host+=("$word") ;;
        esac
    done
}

read_options() {
    local option value word
    while [ $# -gt 0 ]; do
        case $1 in
        -Wl,* | -pthread | -rdynamic) link+=("$1"); shift; continue ;;
        -fPIC | -fpic | -fPIE | -fvisibility=*) host+=("$1"); shift; continue ;;
        -M | -MM | -E) preprocess=$1; shift; continue ;;
        -MD | -MMD | -MP) rule+=("$1"); shift; continue ;;
        -v) verbose=1; shift; continue ;;
        __cmake_determine_cuda) sources+=("$1"); shift; continue ;;
        -I?* | -D?* | -U?*) pre+=("$1"); shift; continue ;;
        -L?*) link+=("$1"); shift; continue ;;
        -l?*) [[ $1 == -lib || $1 == -lineinfo ]] || { library "${1#-l}"; shift; continue; } ;;
        -O | -O?) shift; continue ;; # the level does not change the accesses
        -o?*) [[ $1 != -o=* && $1 != -odir* && $1 != -optix* ]] && { out=${1#-o}; shift; continue; } ;;
        -) fail "reading from standard input is not supported" ;;
        -*) ;;
        *.cu | *.cpp | *.cc | *.cxx | *.c) sources+=("$1"); shift; continue ;;
        *.o | *.a | *.so | *.so.*) objects+=("$1"); shift; continue ;;
        @*) # a file of further arguments
            [ -r "${1#@}" ] || fail "cannot read ${1#@}"
            eval "set -- x $(tr '\n' ' ' <"${1#@}")" '"${@:2}"'
            shift
            continue
            ;;
        *) fail "$1: unknown kind of file (see --help)" ;;
        esac
        word=${1#-} word=${word#-}
        option=${word%%=*}
        value=''
        if knows "$with_value$no_effect_value" "$option"; then
            if [[ $word == *=* ]]; then
                value=${word#*=}
            else
                [ $# -ge 2 ] || fail "$1: needs a value"
                value=$2
                shift
            fi
        fi
        case $option in
        o | output-file) out=$value ;;
        I | include-path) pre+=(-I "$value") ;;
        D | define-macro) pre+=(-D "$value") ;;
        U | undefine-macro) pre+=(-U "$value") ;;
        include | pre-include) pre+=(-include "$value") ;;
        isystem | system-include) pre+=(-isystem "$value") ;;
        L | library-path) link+=(-L "$value") ;;
        l | library) library "$value" ;;
        std)
            [[ $value =~ ^(c|gnu)\+\+(03|11|14|17|20|23|2a|2b)$ ]] || fail "-std=$value: there is no such language standard"
            standard=$value
            ;;
        MF | MT | MQ) rule+=("-$option" "$value") ;;
        optf | options-file)
            [ -r "$value" ] || fail "$1: cannot read $value"
            shift
            eval "set -- x $(tr '\n' ' ' <"$value")" '"$@"'
            ;;
        preprocess | generate-dependencies) preprocess=-E; [ "$option" = preprocess ] || preprocess=-M ;;
        generate-dependencies-with-compile) rule+=(-MD) ;;
        shared) shared=1 ;;
        dlink | device-link) device_link=1 ;;
        lib) archive=1 ;;
        verbose) verbose=1 ;;
        g | debug | G | device-debug) debug=limited ;;
        x | x-language)
            [[ $value =~ ^(cu|c|c\+\+)$ ]] || fail "-x $value: the language must be cu, c or c++"
            language=$value
            ;;
        Xcompiler | compiler-options) to_host_compiler "$value" ;;
        Xlinker | linker-options) link+=("-Wl,${value// /,}") ;;
        c | compile | dc | device-c | dw | device-w) compile_only=1 ;;
        arch | gpu-architecture | code | gpu-code | gencode | generate-code) architectures "-$option" "$value" ;;
        sealed) sealed=$value compile_only=1 ;;
        keep) # --keep takes a folder, nvcc's keeps take no value
            if [[ $1 == --* && ${2:-} != -* ]]; then
                [ $# -ge 2 ] || fail "$1: needs a value"
                keep=$2
                shift
            fi
            ;;
        optimize) ;;
        run) fail "$1 is not supported: cpucc run FILE.cu builds a program and runs it" ;;
        ptx | cubin | fatbin)
            fail "$1 is not supported: there is no code for a GPU here; cpucc makes programs (-o), objects (-c) and libraries (-shared)" ;;
        h | help) show_help; exit 0 ;;
        version | V) show_version; exit 0 ;;
        *)
            knows "$no_effect_value" "$option" || knows "$no_effect" "$word" ||
                echo "cpucc: warning: unknown option $1 has no effect" >&2
            ;;
        esac
        shift
    done
}

# Uses OpenMP if clang has it; otherwise ignores its pragmas.
use_openmp() {
    local word kept=()
    [[ " ${host[*]-} " == *' -fopenmp '* ]] || return 0
    echo 'int main(void) { return 0; }' >"$work/openmp.cpp"
    if "${cxx[@]}" -fopenmp -include omp.h "$work/openmp.cpp" -o "$work/openmp" 2>/dev/null; then
        return 0
    fi
    echo "cpucc: warning: no OpenMP for $clang (apt-get install libomp-dev); its pragmas are ignored" >&2
    for word in "${host[@]}"; do [ "$word" = -fopenmp ] || kept+=("$word"); done
    host=(${kept[@]+"${kept[@]}"}) kept=()
    for word in "${link[@]}"; do [ "$word" = -fopenmp ] || kept+=("$word"); done
    link=(${kept[@]+"${kept[@]}"} -lgomp)
}

# Sets `libraries` to the folder of an installed toolkit that holds thrust, cub and libcu++, or to nothing.
find_toolkit_libraries() {
    local nvcc='' folder
    libraries=''
    hash nvcc 2>/dev/null && nvcc=$(readlink -f "${BASH_CMDS[nvcc]}")
    for folder in "${nvcc%/bin/nvcc}/include/cccl" /usr/local/cuda/include/cccl \
        /usr/include/cccl /usr/local/include/cccl; do
        if [ -d "$folder/thrust" ]; then
            libraries=$folder
            return
        fi
    done
}
