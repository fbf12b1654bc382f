# What each variant did, out of the files that take_counters writes. Load csv.awk first.
#
# The harness runs each variant between its kernels fill_poison and compare; what lies between them
# belongs to the variant, in the order of the file's `# variants`. Calls for each variant
# variant_row(), with sum[] holding each metric summed over its kernels, kernels their number, and
# key["step"] and so on the file's headers; the script that is loaded after this one defines it.
# Exit status 1, and a line, if a file holds something else.

BEGIN { FS = OFS = "\t" }

function fail(text) { printf "%s: %s\n", FILENAME, text > "/dev/stderr"; exit bad = 1 }
function end_file() { if (file && ran != variants) fail("fewer variants ran than it names: " ran) }

FNR == 1 { end_file(); file = FILENAME; ran = variants = 0; state = ""; split("", sum); split("", key) }
/^# / {
    colon = index($0, ": ")
    key[substr($0, 3, colon - 3)] = substr($0, colon + 2)
    if (/^# variants: /) variants = split(substr($0, colon + 2), name, " ")
    next
}
csv["Kernel Name"] == "fill_poison" { state = "variant"; next }
csv["Kernel Name"] == "compare" {
    if (state != "variant") next
    if (ran == variants) fail("more variants ran than it names")
    variant_row(name[++ran])
    split("", sum)
    split("", kernel)
    kernels = 0
    state = ""
    next
}
state == "variant" {
    if (!(csv["ID"] in kernel)) { kernel[csv["ID"]]; kernels++ }
    sum[csv["Metric Name"]] += csv["Metric Value"]
}
END { if (!bad) end_file(); exit bad }
