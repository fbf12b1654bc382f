# The rows of a counts file, for counts.sh. Load variants.awk first.
function row(variant, counter, requests, work) {
    print key["step"], variant, key["rows"], key["cols"], counter, requests + 0, work + 0, "nan"
}
function variant_row(variant,    executed, sectors, wavefronts) {
    executed = "smsp__sass_inst_executed_op_"
    sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_"
    wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
    row(variant, "global_load", sum[executed "global_ld.sum"], sum[sectors "ld.sum"])
    row(variant, "global_store", sum[executed "global_st.sum"], sum[sectors "st.sum"])
    row(variant, "shared_load", sum[executed "shared_ld.sum"], sum[wavefronts "ld.sum"])
    row(variant, "shared_store", sum[executed "shared_st.sum"], sum[wavefronts "st.sum"])
    row(variant, "async_copy_global", sum[executed "ldgsts.sum"], \
        sum[sectors "ldgsts_cache_access.sum"] + sum[sectors "ldgsts_cache_bypass.sum"])
    row(variant, "async_copy_shared", sum[executed "ldgsts.sum"], sum[wavefronts "ldgsts.sum"])
}
BEGIN { print "step", "variant", "rows", "cols", "counter", "requests", "work", "ideal_work" }
