// user.rs: a Rust program that calls the library. Exit status 0 if all is right.
use std::ffi::c_void;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Batch {
    count: i64,
    in_stride: i64,
    out_stride: i64,
}

#[repr(C)]
struct Transpose {
    out: *mut c_void,
    input: *const c_void,
    rows: i64,
    cols: i64,
    in_pitch: i64,
    out_pitch: i64,
    element_bytes: i32,
    batch_dims: i32,
    batch: [Batch; 3],
    reads: i32,
    stream: *mut c_void,
}

extern "C" {
    fn transpose(problem: *const Transpose) -> i32;
    fn cudaMallocManaged(memory: *mut *mut c_void, bytes: usize, flags: u32) -> i32;
    fn cudaDeviceSynchronize() -> i32;
}

// Returns memory that the host and the device can access.
fn memory(words: usize) -> &'static mut [u32] {
    let mut place = std::ptr::null_mut();
    unsafe {
        assert_eq!(cudaMallocManaged(&mut place, 4 * words, 1), 0);
        std::slice::from_raw_parts_mut(place as *mut u32, words)
    }
}

fn main() {
    let (rows, cols, count) = (30, 20, 7);
    let input = memory(rows * cols * count);
    let out = memory(rows * cols * count);
    (0..input.len()).for_each(|i| input[i] = i as u32);
    let mut batch = [Batch::default(); 3];
    batch[0].count = count as i64;
    let t = Transpose {
        out: out.as_mut_ptr() as *mut c_void,
        input: input.as_ptr() as *const c_void,
        rows: rows as i64,
        cols: cols as i64,
        in_pitch: 0,
        out_pitch: 0,
        element_bytes: 4,
        batch_dims: 1,
        batch,
        reads: 0,
        stream: std::ptr::null_mut(),
    };
    unsafe {
        assert_eq!(transpose(&t), 0);
        assert_eq!(cudaDeviceSynchronize(), 0);
    }
    for i in 0..input.len() {
        let (matrix, row, col) = (i / (rows * cols), i / cols % rows, i % cols);
        assert_eq!(out[(matrix * cols + col) * rows + row], input[i]);
    }
}
