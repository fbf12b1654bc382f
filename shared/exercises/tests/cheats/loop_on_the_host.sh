# A loop on the host.
refused 'the host code touches the matrices' <<<"$(without_launch \
    'for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) out[(size_t)j * rows + i] = in[(size_t)i * cols + j];')"
