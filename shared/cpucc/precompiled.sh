# Part of cpucc: cuda_runtime.h and what it includes, precompiled once for each set of options.
# shellcheck shell=bash disable=SC2154,SC2034 # the variables are those of cpucc
#
# A folder for each set of options, below the tools of this compiler:
#   host.pch, device.pch   the header for each half
#   files                  what was read for it, and
#   state                  the sizes and times of these files then
#   names                  the same files, as #include finds them
# It is used only where it changes nothing: the files are as they were, no folder of -I hides one of
# them, and no macro of -D or -U is mentioned in them. With --precompile HEADER the sources' own header
# is in it too, and all options are those that it was made with.

# precompile FOLDER: makes it, or fails. One at a time: `make_precompiled` holds a lock.
precompile() {
    local folder=$1 new half
    new=$(mktemp -d "$tools/new.XXXXXX") || return 1
    for half in host device; do
        local -n options=${half}_options
        # Templates that the header uses are made here, and not again in each program.
        "${cxx[@]}" "${options[@]}" -fpch-instantiate-templates -v -MD -MT x -MF "$new/$half.d" -Xclang -emit-pch \
            ${header[@]+"${header[@]}"} -S -emit-llvm "${begins_with:-$home/include/cuda_runtime.h}" \
            -o "$new/$half.pch" 2>"$new/$half.log" &
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
    # Without the folder that #include searched.
    sed -n 's/^ \(\/.*\)/\1\//p' "$new"/*.log | sort -u | awk '
        NR == FNR { folder[$0]; next }
        {
            best = ""
            for (f in folder)
                if (index($0, f) == 1 && length(f) > length(best))
                    best = f
            print substr($0, length(best) + 1)
        }' - "$new/files" >"$new/names"
    rm -rf "$new"/*.log "$new"/*.d "$folder"
    mv -T "$new" "$folder" 2>/dev/null || { rm -rf "$new"; return 1; }
}

# is_precompiled FOLDER: sets `files` and `names`, or fails if it is not there, or not of these files.
# It may be replaced at any moment, so whatever is missing means that it is not there.
is_precompiled() {
    local state
    { mapfile -t files <"$1/files" && mapfile -t names <"$1/names" && state=$(<"$1/state"); } \
        2>/dev/null || return 1
    [ ${#names[@]} -gt 0 ] && [ "$(stat -L -c '%n %s %Y' "${files[@]}" 2>&1)" = "$state" ]
}

# make_precompiled FOLDER: makes it, unless another has done so meanwhile.
make_precompiled() {
    local lock made=1
    exec {lock}>"$1.lock" || return 1
    flock "$lock" || return 1
    if is_precompiled "$1" || precompile "$1"; then made=0; fi
    exec {lock}>&-
    return $made
}

# use_precompiled: sets host_header and device_header, the options that bring cuda_runtime.h into
# each half: precompiled, if `pre`, the user's options for the preprocessor, allows it.
use_precompiled() {
    local folder word macro files names name header=()
    host_header=(-include cuda_runtime.h) device_header=(-include cuda_runtime.h)
    [ "${CPUCC_PRECOMPILED:-}" != off ] || return 0
    # clang's list of what it read cannot be read back where a folder has a name like that.
    case $home$tools in *[!A-Za-z0-9/._+,@\ -]*) return 0 ;; esac
    [ -z "$begins_with" ] || header=(-include cuda_runtime.h ${pre[@]+"${pre[@]}"})
    folder=$tools/header-$(printf '%s\n' "${host_options[@]}" "${device_options[@]}" \
        ${header[@]+"$begins_with" "${header[@]}"} | cksum | tr ' ' '-')
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
