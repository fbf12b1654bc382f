# A loop on the host after a launch.
refused 'the host code touches the matrices' <<<"$(launching '' \
    'for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) out[(size_t)j * rows + i] = in[(size_t)i * cols + j];')"
