# Part of cpucc: precompiles cuda_runtime.h, with all headers that it includes, once per set of options.
# shellcheck shell=bash disable=SC2154,SC2034 # the variables are those of cpucc
#
# Each set of options has a folder beside the tools of this compiler:
#   host.pch, device.pch   the header for each half
#   files                  the paths of all headers that were read
#   state                  the sizes and times of these headers when they were read
#   names                  the headers' names as #include finds them
# cpucc uses a precompiled header only if that changes nothing: the headers are unchanged, no folder of -I
# hides a header, and no header mentions a macro of -D or -U. With --precompile HEADER it also contains
# HEADER, and serves only the options that it was made with.

# precompile FOLDER: makes the folder, or fails. The caller holds a lock.
precompile() {
    local folder=$1 new half
    new=$(mktemp -d "$tools/new.XXXXXX") && own "$new" || return 1
    for half in host device; do
        local -n options=${half}_options
        # Instantiates the templates that the header uses once, not in each program.
        "${cxx[@]}" "${options[@]}" -fpch-instantiate-templates -v -MD -MT x -MF "$new/$half.d" -Xclang -emit-pch \
            ${header[@]+"${header[@]}"} -S -emit-llvm "${begins_with:-$home/include/cuda_runtime.h}" \
            -o "$new/$half.pch" 2>"$new/$half.log" {lock}>&- &
    done
    wait $! && wait
    if [ ! -s "$new/host.pch" ] || [ ! -s "$new/device.pch" ]; then
        rm -rf "$new"
        return 1
    fi
    # Make's rule "x: a.h b\ c.h \" as lines.
    sed -e 's/^x: *//' -e 's/ \\$//' -e 's/\\ /\x01/g' -e 's/^ *//' "$new"/*.d | tr ' ' '\n' |
        tr '\001' ' ' | sort -u | grep . >"$new/files"
    mapfile -t files <"$new/files"
    stat -L -c '%n %s %Y' "${files[@]}" >"$new/state"
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
    rm -rf "$new"/*.log "$new"/*.d "$folder"
    mv -T "$new" "$folder" 2>/dev/null || { rm -rf "$new"; return 1; }
}

# is_precompiled FOLDER: sets `files` and `names`, or fails if the folder is missing or out of date.
# Another process can replace the folder at any moment, so any missing file counts as a missing folder.
is_precompiled() {
    local state
    { mapfile -t files <"$1/files" && mapfile -t names <"$1/names" && state=$(<"$1/state"); } \
        2>/dev/null || return 1
    [ ${#names[@]} -gt 0 ] && [ "$(stat -L -c '%n %s %Y' "${files[@]}" 2>&1)" = "$state" ]
}

# make_precompiled FOLDER: makes the folder, unless another process has made it meanwhile.
make_precompiled() {
    local lock made=1
    exec {lock}>"$1.lock" || return 1
    flock "$lock" || return 1
    if is_precompiled "$1" || precompile "$1"; then made=0; fi
    exec {lock}>&-
    return $made
}

# use_precompiled: sets host_header and device_header, the options that include cuda_runtime.h in each
# half, precompiled if the user's options for the preprocessor (`pre`) allow it.
use_precompiled() {
    local folder word macro files names name header=()
    host_header=(-include cuda_runtime.h) device_header=(-include cuda_runtime.h)
    [ "${CPUCC_PRECOMPILED:-}" != off ] || return 0
    [[ " ${host[*]-} " != *' -fopenmp '* ]] || return 0 # clang 14 ends by a signal
    # Make's rules cannot be parsed back if a folder's name has other characters.
    case $home$tools in *[!A-Za-z0-9/._+,@\ -]*) return 0 ;; esac
    [ -z "$begins_with" ] || header=(-include cuda_runtime.h ${pre[@]+"${pre[@]}"})
    folder=$(printf '%s\n' "${host_options[@]}" "${device_options[@]}" \
        ${header[@]+"$begins_with" "${header[@]}"} | cksum)
    folder=$tools/header-${folder// /-}
    if ! is_precompiled "$folder"; then
        { make_precompiled "$folder" && is_precompiled "$folder"; } 2>/dev/null || return 0
    fi
    [ -n "$begins_with" ] || set -- ${pre[@]+"${pre[@]}"}
    while [ $# -gt 0 ]; do
        case $1 in
        -I | -isystem | -D | -U | -include) word=$1$2; shift ;;
        *) word=$1 ;;
        esac
        shift
        case $word in
        -include*) ;;
        -I* | -isystem*)
            word=${word#-I} word=${word#-isystem}
            for name in "${names[@]}"; do
                [ ! -e "$word/$name" ] || return 0
            done
            ;;
        -D* | -U*)
            macro=${word#-?} macro=${macro%%[=(]*}
            ! grep -qwF -- "$macro" "${files[@]}" || return 0
            ;;
        *) return 0 ;;
        esac
    done
    host_header=(-include-pch "$folder/host.pch") device_header=(-include-pch "$folder/device.pch")
}
