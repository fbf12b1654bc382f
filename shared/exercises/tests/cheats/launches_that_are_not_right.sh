# Launches and attributes that no GPU takes.
wrong='CUDA refused|no kernel was launched|nobody wrote|must return|hardware refuses|does not compile|more shared memory'
for how in '0, 1' '1, 0' '1, 1025' 'dim3(1, 65536), 1' '1, 1, (size_t)-1' '1, 1, 1u << 31' 'dim3(65535, 65535, 65535), 1024'; do
    refused "$wrong" < <(solution | sed "s/^\( *\)transpose<<<.*$/\1transpose<<<$how>>>(in, out, rows, cols);/")
done
refused "$wrong|wrong; the first" < <(launching 'cudaFuncSetAttribute(transpose, cudaFuncAttributeMaxDynamicSharedMemorySize, -1); cudaFuncSetAttribute(transpose, (cudaFuncAttribute)-7, 1 << 30);' '' |
    sed 's/^\( *\)transpose<<<.*$/\1transpose<<<1, 32, 200000>>>(in, out, rows, cols);/')
