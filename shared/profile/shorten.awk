# The columns that are kept of ncu's list, for ncu.sh. Load csv.awk first.
BEGIN { print "ID,Kernel Name,Block Size,Grid Size,Metric Name,Metric Value" }
/^#/ { next }
{
    gsub(/,/, "", csv["Metric Value"])
    sub(/\(.*/, "", csv["Kernel Name"])
    printf "%s,\"%s\",\"%s\",\"%s\",%s,%s\n", csv["ID"], csv["Kernel Name"], csv["Block Size"], \
        csv["Grid Size"], csv["Metric Name"], csv["Metric Value"]
}
