# Judges one run of a submission, in words.
#   awk -v mode=counted|ragged -v name= -v outcome= -v seconds= -f explain.awk RESULTS PRINTED
# RESULTS are judge.cu's lines, PRINTED what the run printed, faults included. Fails, after printing
# "reason WORD" and what the learner is told, unless the run verified everything without a fault.
BEGIN {
    FS = "\t"
    plain["out of bounds"] = "reaches outside an array: check the index, and the bounds check in front of it"
    plain["misaligned access"] = "is not aligned: an access of 8 or 16 bytes needs an address that is a multiple of 8 or 16"
    plain["read of memory never written"] = "reads memory that nobody has written: was every element stored first, in the same place?"
    plain["race (read after write)"] = "reads what another thread writes, with no barrier in between"
    plain["race (write after write)"] = "writes what another thread writes too, with no barrier in between"
    plain["race (write after read)"] = "overwrites what another thread may still have to read: a barrier is missing in between"
    plain["barrier divergence"] = "waits at a barrier that not all threads of the block reach"
    plain["endless wait"] = "waits for something that never happens"
    plain["asynchronous copy not waited for"] = "touches memory while an asynchronous copy into or out of it is still under way: wait for the copy first"
    plain["missing proxy fence"] = "hands the TMA engine memory that threads wrote, without a fence_proxy_async() in between"
    plain["mbarrier misuse"] = "uses an mbarrier wrongly"
    plain["copy the hardware refuses"] = "starts a copy that the hardware refuses"
    plain["cp.async the hardware refuses"] = "starts a cp.async that the hardware refuses"
    plain["too much shared memory"] = "asks for more shared memory than a block can have"
    plain["wrong lane mask"] = "names the wrong lanes in the mask of a warp-wide call"
    plain["write to constant memory"] = "writes constant memory, which kernels can only read"
}
function tell(reason, text) {
    if (!told++)
        print "reason " reason
    print text
}
FILENAME ~ /\.results$/ && $1 == "size" { size = $2 " x " $3 }
FILENAME ~ /\.results$/ && $1 == "found" { found[++runs] = $0 }
FILENAME ~ /\.results$/ && $1 == "scalar" && $2 == "launches" { launches = $3 }
FILENAME ~ /\.results$/ && $1 == "scalar" { scalar[$2] = $3 }
FILENAME ~ /\.results$/ && $1 == "count" && $2 ~ /^(global_load|async_copy_global)$/ { bytes_read += 32 * $5 }
FILENAME ~ /\.results$/ && $1 == "count" && $2 == "global_store" { bytes_written += 32 * $5 }
FILENAME ~ /\.results$/ && $1 == "count" && $2 == "tma_load" { bytes_read += $4 }
FILENAME ~ /\.results$/ && $1 == "count" && $2 == "tma_store" { bytes_written += $4 }
FILENAME ~ /\.results$/ && $1 == "faults" { faults = $2 }
FILENAME ~ /\.results$/ && $1 == "end" { ended = 1 }
FILENAME ~ /\.results$/ && $1 == "host_access" { host = 1 }
FILENAME ~ /\.printed$/ && /: fault: / && match($0, /:[0-9]+: fault: /) {
    if (++fault_count > 3)
        next
    file = substr($0, 1, RSTART - 1)
    sub(/.*\//, "", file)
    line = substr($0, RSTART + 1)
    sub(/:.*/, "", line)
    rest = substr($0, RSTART + RLENGTH)
    kind = rest
    sub(/: .*/, "", kind)
    detail = substr(rest, length(kind) + 3)
    fault_text[fault_count] = (file == name ".cu" ? "line " line : file ", line " line) " " \
        (kind in plain ? plain[kind] : "does something illegal: " kind) \
        (detail == "" ? "" : "\n    (" kind ": " detail ")")
}
FILENAME ~ /\.printed$/ && /assertion failed|too many resources|invalid configuration|launch failed|out of memory/ && !said {
    said = $0
    sub(/^.*: /, "", said)
}
FILENAME ~ /\.printed$/ && /cudaGetLastError\(\): / && !error {
    error = $0
    sub(/^.*cudaGetLastError\(\): /, "", error)
}
FILENAME ~ /\.printed$/ && /cudaDeviceSynchronize\(\): / && !error {
    error = $0
    sub(/^.*cudaDeviceSynchronize\(\): /, "", error)
}
FILENAME ~ /\.printed$/ && /cuTensorMapEncodeTiled/ { error = $0 }
END {
    at = size == "" ? "" : " (at " size ")"
    if (host)
        tell("host_access", "the host code touches the matrices" at ": they are the GPU's, where this would crash; only kernels can read and write them")
    else if (outcome == "time")
        tell("time", "it was still running after " seconds " seconds" at " and was stopped: does a loop never end?")
    else if (outcome == "memory")
        tell("memory", "it took more than 1 GB of memory" at " and was stopped")
    else if (outcome == "output")
        tell("output", "it printed more than 60000 characters" at " and was stopped")
    else if (outcome ~ /^signal/ && !fault_count)
        tell("crash", "it crashed" at " (" outcome "): an invalid pointer or endless recursion, in the host code or on a thread's stack")
    else if (!ended || outcome != "exit " (faults > 0)) {
        for (i = 1; i <= fault_count && i <= 3; i++)
            tell("fault", fault_text[i] (i == 1 ? "\n    found" at : ""))
        if (!fault_count && error != "")
            tell("cuda_error", "CUDA refused it" at ": " error)
        else if (!fault_count)
            tell("ended", "it ended before the checker was done" at ": the launch function must return, not exit")
    } else {
        if (launches == 0)
            tell("no_launch", "no kernel was launched")
        for (i = 1; i <= fault_count && i <= 3; i++)
            tell("fault", fault_text[i] (i == 1 && mode == "ragged" ? "\n    found at ragged sizes, such as " size : ""))
        if (faults > 0 && !fault_count)
            tell("fault", "the run had faults")
        for (i = 1; i <= runs && !bad; i++) {
            split(found[i], f, "\t")
            place = f[2] " x " f[3]
            if (f[4] > 0) {
                bad = 1
                text = "at " place ", " f[4] " of " f[5] " elements of the output are wrong; the first is " \
                    (f[13] > 0 ? "in matrix " f[13] ", " : "") "row " f[7] ", column " f[8]
                if (f[9])
                    text = text ", which nobody wrote"
                else if (f[10])
                    text = text ", which holds the input's row " f[11] ", column " f[12]
                tell("wrong", text)
            }
            if (f[6]) {
                bad = 1
                tell("input", "at " place ", the input matrix was overwritten: it is only to be read")
            }
        }
        if (mode == "counted" && !told && (bytes_read < scalar["least_read"] || bytes_written < scalar["least_written"]))
            tell("uncounted", "the output is right, but too little traffic was counted for it: kernels must read the input and write the output themselves, by plain loads and stores (atomics are not counted)")
    }
    exit told > 0
}
