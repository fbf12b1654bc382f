#!/bin/bash
# Makes a counts file out of what count.sh took: counts.sh FILE.csv... >counts.tsv
#
# The harness runs each variant between its kernels fill_poison and compare; what lies between them
# belongs to the variant, in the order of the files' `# variants`. The hardware knows no ideal, so
# ideal_work is nan. Exit status: 0; 1 a file holds something else; 2 wrong usage.
set -u
[ $# -gt 0 ] || { echo "usage: counts.sh FILE.csv... >counts.tsv" >&2; exit 2; }

sed -n 's/^# \(gpu\|ncu\|date\): /&/p' "$1"
printf 'step\tvariant\trows\tcols\tcounter\trequests\twork\tideal_work\n'
exec awk -F'","|",|,"|,' '
    function fail(text) { printf "%s: %s\n", FILENAME, text >"/dev/stderr"; exit bad = 1 }
    function row(variant, counter, requests, work) {
        printf "%s\t%s\t%s\t%s\t%s\t%d\t%d\tnan\n", key["step"], variant, key["rows"], key["cols"],
            counter, requests, work
    }
    # The counts of the variant that just ended, zeros included.
    function flush_variant(    variant) {
        if (ran == variants) fail("more variants ran than it names")
        variant = name[++ran]
        row(variant, "global_load", n["inst_executed_op_global_ld"], n["mem_global_op_ld"])
        row(variant, "global_store", n["inst_executed_op_global_st"], n["mem_global_op_st"])
        row(variant, "shared_load", n["inst_executed_op_shared_ld"], n["mem_shared_op_ld"])
        row(variant, "shared_store", n["inst_executed_op_shared_st"], n["mem_shared_op_st"])
        row(variant, "async_copy_global", n["inst_executed_op_ldgsts"],
            n["mem_global_op_ldgsts_cache_access"] + n["mem_global_op_ldgsts_cache_bypass"])
        row(variant, "async_copy_shared", n["inst_executed_op_ldgsts"], n["mem_shared_op_ldgsts"])
        delete n
    }
    function end_file() {
        if (file && ran != variants) fail("fewer variants ran than it names: " ran)
    }
    FNR == 1 { end_file(); file = FILENAME; ran = variants = 0; state = ""; delete n; delete key }
    /^# / {
        split(substr($0, 3), pair, ": ")
        key[pair[1]] = pair[2]
        if (pair[1] == "variants") variants = split(pair[2], name, " ")
        next
    }
    /^ID/ { next }
    {
        kernel = $2
        if (kernel == "fill_poison") state = "variant"
        else if (kernel == "compare" && state == "variant") { flush_variant(); state = "" }
        else if (state == "variant") {
            metric = $(NF - 1)
            sub(/^smsp__sass_(l1tex_(t_sectors|data)_pipe_lsu_(wavefronts_)?)?/, "", metric)
            sub(/\.sum$/, "", metric)
            n[metric] += $NF
        }
    }
    END { if (!bad) end_file(); exit bad }' "$@"
