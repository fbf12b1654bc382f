# Part of cpucc: precompiles headers, once per set of options.
# shellcheck shell=bash disable=SC2154,SC2034 # the variables are those of cpucc
#
# Each precompiled header has a folder beside the tools of this compiler:
#   host.pch, device.pch   the header for each half
#   files                  the paths of all headers that were read
#   state                  the sizes and times of these headers when they were read
#   names                  the headers' names as #include finds them
#   shared, shared.o       names of the header's own functions and variables, and their code (frontend/header.c)
#   shared.pch             the header for the host without that code (frontend/pch.c)
# There are two kinds: cuda_runtime.h; and, on top of it, a header of the folder in which cpucc's own folder
# lies, for sources whose first line of code includes it. cpucc uses a precompiled header only if that changes
# nothing: the headers are unchanged, no folder of -I hides a header, and no macro of -D or -U differs.
# A program of several sources compiles the header's functions for each, which has its own variables of the header.

# precompile FOLDER BASE HEADER OPTION...: makes the folder, or fails. BASE is the folder of cuda_runtime.h if that
# is not the HEADER. The caller holds a lock.
precompile() {
    local folder=$1 base=$2 header=$3 new half
    new=$(mktemp -d "$tools/new.XXXXXX") && own "$new" || return 1
    for half in host device; do
        local -n options=${half}_options
        # Instantiates the templates that the header uses once, not in each program.
        "${cxx[@]}" "${options[@]}" ${base:+-include-pch "$base/$half.pch"} "${@:4}" -fpch-instantiate-templates -v \
            -MD -MT x -MF "$new/$half.d" -Xclang -emit-pch -S -emit-llvm "$header" -o "$new/$half.pch" 2>"$new/$half.log" {lock}>&- &
    done
    wait $! && wait
    if [ ! -s "$new/host.pch" ] || [ ! -s "$new/device.pch" ]; then
        rm -rf "$new"
        return 1
    fi
    "$tools/pch" "$new/host.pch" "$new/device.pch"
    # Make's rule "x: a.h b\ c.h \" as lines.
    sed -e 's/^x: *//' -e 's/ \\$//' -e 's/\\ /\x01/g' -e 's/^ *//' "$new"/*.d | tr ' ' '\n' |
        tr '\001' ' ' | sort -u | grep . >"$new/files"
    [ -z "$base" ] || printf '%s\n' "$base"/{host,device}.pch >>"$new/files"
    mapfile -t files <"$new/files"
    stat -L -c "$identity" "${files[@]}" >"$new/state"
    # The headers' names: their paths without the longest folder of the search path that they begin with.
    local name best path searched
    mapfile -t searched < <(sed -n 's/^ \(\/.*\)/\1\//p' "$new"/*.log | sort -u)
    while IFS= read -r name; do
        best=''
        for path in "${searched[@]}"; do
            if [[ $name == "$path"* && ${#path} -gt ${#best} ]]; then best=$path; fi
        done
        printf '%s\n' "${name#"$best"}"
    done <"$new/files" >"$new/names"
    [ -z "$base" ] || share "$@" 2>/dev/null || rm -f "$new/shared"
    rm -rf "$new"/*.log "$new"/*.d "$new"/part.* "$folder"
    mv -T "$new" "$folder" 2>/dev/null || { rm -rf "$new"; return 1; }
}

# share FOLDER BASE HEADER OPTION...: makes shared, shared.o and shared.pch in the folder `new`; fails if programs
# cannot share the functions.
share() {
    local part=$new/part
    # Else clang would drop what no other function calls.
    printf '%s\n' '#ifndef __CUDA_ARCH__' '#define static static __attribute__((__used__))' '#endif' \
        "#include \"$3\"" >"$part.cu"
    printf '%s\0' "${1##*/}" >"$part.unit"
    "${cxx[@]}" "${host_options[@]}" -Xclang -fcuda-include-gpubinary -Xclang "$part.unit" \
        -include-pch "$2/host.pch" "${@:4}" "${parse[@]}" "$part.cu" -o "$part.host.bc" &&
        "${cxx[@]}" "${device_options[@]}" -include-pch "$2/device.pch" "${@:4}" "${parse[@]}" \
            "$part.cu" -o "$part.device.bc" &&
        "$tools/compile" "$tools/host.ll" "${1##*/}" "$part" share "$new/shared" &&
        "${cxx[@]}" -r -nostdlib "$part.host.o" "$part.device.o" -o "$new/shared.o" &&
        "${cxx[@]}" "${host_options[@]}" -include-pch "$2/host.pch" "${@:4}" -E -dD "$3" -o "$part.all" &&
        "$tools/pch" <"$part.all" >"$1.h" &&
        "${cxx[@]}" "${host_options[@]}" -include-pch "$2/host.pch" "${@:4}" -fpch-instantiate-templates \
            -Xclang -emit-pch -S -emit-llvm "$1.h" -o "$new/shared.pch" &&
        "$tools/pch" "$new/shared.pch"
}

# is_precompiled FOLDER: sets `files` and `names`, or fails if the folder is missing or out of date.
# Another process can replace the folder at any moment, so any missing file counts as a missing folder.
is_precompiled() {
    local state=''
    { mapfile -t files <"$1/files" && mapfile -t names <"$1/names" && IFS= read -r -d '' state <"$1/state" || [ "$state" ]; } \
        2>/dev/null || return 1
    [ ${#names[@]} -gt 0 ] && [ "$(stat -L -c "$identity" "${files[@]}" 2>&1)"$'\n' = "$state" ]
}

# have_precompiled FOLDER BASE HEADER OPTION...: makes the folder if need be, unless another process has made it
# meanwhile. Sets `files` and `names`, or fails.
have_precompiled() {
    local lock
    is_precompiled "$1" && return
    {
        exec {lock}>"$1.lock" && flock "$lock" || return 1
        is_precompiled "$1" || precompile "$@" || true
        exec {lock}>&-
        is_precompiled "$1"
    } 2>/dev/null
}

# hide_none FOLDER...: fails if one of the folders has another file under the name of a header in `files`.
hide_none() {
    local folder k
    for folder; do
        for k in "${!names[@]}"; do
            [ ! -e "$folder/${names[k]}" ] || [ "$folder/${names[k]}" -ef "${files[k]}" ] || return 1
        done
    done
}

# first_header SOURCE FOLDER...: sets `header` to the path of the header that the source's first line of code includes,
# if #include finds it in the folder around cpucc's; else to nothing.
first_header() {
    local line comment='' name='' folder=.
    header=''
    while read -r line; do
        line=$comment$line
        case $line in
        *\\) return 0 ;;
        '' | //*) ;;
        '/*'*)
            comment='/* ' line=${line#/\*}
            case $line in
            *'*/') [ "${line%%\*/*}*/" = "$line" ] || return 0; comment='' ;;
            *'*/'*) return 0 ;;
            esac
            ;;
        '#include "'*'"') name=${line#*\"} name=${name%\"}; break ;;
        *) return 0 ;;
        esac
    done <"$1"
    [ -n "$name" ] || return 0
    [[ $1 != */* ]] || folder=${1%/*}
    for folder in "$folder" "${@:2}"; do
        [ -e "$folder/$name" ] || continue
        [ ! "$folder/$name" -ef "${home%/*}/$name" ] || header=${home%/*}/$name
        return 0
    done
}

# use_precompiled SOURCE: sets host_header and device_header, the options that include cuda_runtime.h in each half,
# and the source's first header, precompiled if the user's options for the preprocessor (`pre`) allow it. Sets
# `use`, the arguments by which compile leaves out what the header has compiled already, in `ready`.
use_precompiled() {
    local word base folder header='' files names folders=() macros=() includes=''
    host_header=(-include cuda_runtime.h) device_header=(-include cuda_runtime.h) use=() ready=()
    [ "${CPUCC_PRECOMPILED:-}" != off ] || return 0
    [[ " ${host[*]-} " != *' -fopenmp '* ]] || return 0 # clang 14 ends by a signal
    # Make's rules cannot be parsed back if a folder's name has other characters.
    case $home$tools in *[!A-Za-z0-9/._+,@\ -]*) return 0 ;; esac
    set -- "$1" ${pre[@]+"${pre[@]}"}
    while [ $# -gt 1 ]; do
        word=$2
        case $word in -I | -isystem | -D | -U | -include) word=$2$3; set -- "$1" "${@:3}" ;; esac
        set -- "$1" "${@:3}"
        case $word in
        -include*) includes=1 ;;
        -I*) folders+=("${word#-I}") ;;
        -isystem*) folders+=("${word#-isystem}") ;;
        -D* | -U*) macros+=("$word") ;;
        *) return 0 ;;
        esac
    done
    [ -n "$includes${rule[*]-}" ] || first_header "$1" ${folders[@]+"${folders[@]}"} # a rule names all headers
    local options=("${host_options[@]}" "${device_options[@]}")
    folder=$(cksum <<<"${options[*]@Q} $header ${macros[*]@Q}")
    folder=$tools/header-${folder// /.}
    if [ -z "$header" ] || ! is_precompiled "$folder"; then
        base=$(cksum <<<"${options[*]@Q}")
        base=$tools/header-${base// /-}
        have_precompiled "$base" '' "$home/include/cuda_runtime.h" || return 0
        for word in ${macros[@]+"${macros[@]}"}; do
            word=${word#-?}
            ! grep -qwF -- "${word%%[=(]*}" "${files[@]}" || return 0
        done
        { [ -n "$header" ] && have_precompiled "$folder" "$base" "$header" ${pre[@]+"${pre[@]}"}; } || folder=$base
    fi
    hide_none ${folders[@]+"${folders[@]}"} || return 0
    host_header=(-include-pch "$folder/host.pch") device_header=(-include-pch "$folder/device.pch")
    if [ ${#sources[@]} = 1 ] && [ -z "$compile_only$shared$archive$keep${host[*]-}" ] &&
        cp "$folder"/shared "$folder"/shared.o "$work" 2>/dev/null; then
        use=(use "$work/shared") ready=("$work/shared.o") host_header=(-include-pch "$folder/shared.pch")
    fi
}
