# Compares the counts of counting.cu: the hardware's (ncu's CSV), the list of launches that the
# program printed, and cpucc's TSV. Prints differences and how many counts were equal; exit status
# 1 if there are differences or nothing was compared.
BEGIN {
    FS = "\t"
    s = "smsp__sass_"
    name[s "inst_executed_op_global_ld.sum"] = "global_load requests"
    name[s "inst_executed_op_global_st.sum"] = "global_store requests"
    name[s "inst_executed_op_shared_ld.sum"] = "shared_load requests"
    name[s "inst_executed_op_shared_st.sum"] = "shared_store requests"
    name[s "inst_executed_op_ldgsts.sum"] = "async_copy_global requests"
    name[s "l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum"] = "global_load work"
    name[s "l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"] = "global_store work"
    name[s "l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum"] = "async_copy_global work"
    name[s "l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum"] = "async_copy_global work"
    name[s "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = "shared_load work"
    name[s "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = "shared_store work"
    name[s "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"] = "async_copy_shared work"
}
FNR == 1 { file++ }
file == 1 {
    if (split($0, f, ",") < 4 || !(f[3] in name))
        next
    hardware[f[1] + 1, name[f[3]]] += f[4]
    known[f[1] + 1] = 1
}
file == 2 {
    kernel = $2 ~ /^probe</ ? "probe<T>" : $2
    number[kernel, ++launches[kernel]] = $1
    label[$1] = $2 " " $3
}
file == 3 && FNR > 1 {
    n = number[$1, $2]
    cpu[n, $5 " requests"] = $6
    cpu[n, $5 " work"] = $7
}
END {
    for (key in hardware) {
        split(key, part, SUBSEP)
        if (!(part[1] in label))
            continue
        if (hardware[key] == cpu[key] + 0)
            equal++
        else {
            different++
            print label[part[1]] ": " part[2] ": cpucc " cpu[key] + 0 ", H200 " hardware[key]
        }
    }
    print "counting.cu: " equal + 0 " counts equal, " different + 0 " different"
    exit different > 0 || equal == 0
}
