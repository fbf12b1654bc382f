# Columns by name: load this before any awk script that reads TSV files, `awk -f tsv.awk -f it.awk`.
# It takes the header row away and sets at[], so that $at["gb_per_s"] is that column of a row; lines
# `# key: value` pass.

BEGIN { FS = OFS = "\t" }
FNR == 1 { split("", at); has_header = 0 }
!/^#/ && !has_header {
    has_header = 1
    for (i = 1; i <= NF; i++) at[$i] = i
    next
}
