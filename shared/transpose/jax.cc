/*
 * jax.cc: transpose() as a call of XLA, which transpose.py registers with JAX. The last two dimensions of
 * an array are swapped; all others are one batch, since XLA's arrays are packed.
 */
#include "transpose/transpose.h"

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error run(CUstream_st *stream, ffi::AnyBuffer x, ffi::Result<ffi::AnyBuffer> y)
{
    const auto sizes = x.dimensions();
    const size_t last = sizes.size() - 1;
    Transpose t = {};
    t.out = y->untyped_data();
    t.in = x.untyped_data();
    t.rows = sizes[last - 1];
    t.cols = sizes[last];
    t.element_bytes = (int)ffi::ByteWidth(x.element_type());
    t.batch_dims = 1;
    t.batch[0].count = 1;
    for (size_t d = 0; d + 1 < last; d++)
        t.batch[0].count *= sizes[d];
    t.stream = stream;
    const TransposeError error = transpose(&t);
    return error == TRANSPOSE_OK ? ffi::Error::Success()
                                 : ffi::Error::InvalidArgument(transpose_error_text(error));
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(transpose_in_jax, run,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<CUstream_st *>>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Ret<ffi::AnyBuffer>(),
                              {ffi::Traits::kCmdBufferCompatible});
