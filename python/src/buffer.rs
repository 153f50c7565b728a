//! Bytes that Python reads where they lie.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use bytes::Bytes;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

/// A package as the owner of its bytes.
struct Source(Arc<unreal_packages::Package>);

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        self.0.source()
    }
}

/// The package as it lies in memory: parts of it keep it alive.
pub fn source_of(package: &Arc<unreal_packages::Package>) -> Bytes {
    Bytes::from_owner(Source(package.clone()))
}

/// Bytes of a package, a texture or a sound, shared with it: memoryviews of it copy nothing.
#[pyclass(frozen, module = "farchive")]
#[derive(Debug)]
pub struct Buffer {
    bytes: Bytes,
    /// What a dimension has; `None` for a row of bytes.
    shape: Box<[isize]>,
    /// Bytes from one element of a dimension to the next.
    strides: Box<[isize]>,
    format: CString,
    item_size: usize,
}

/// What the elements of a buffer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Bytes.
    Byte,
    /// Two bytes without a sign, in the order of this machine.
    Word,
}

impl Buffer {
    /// A row of bytes.
    pub fn new(bytes: Bytes) -> Self {
        let length = bytes.len();
        Self::shaped(bytes, &[length], Element::Byte)
    }

    /// An array of these dimensions, row by row.
    pub fn shaped(bytes: Bytes, shape: &[usize], element: Element) -> Self {
        let (format, item_size) = match element {
            Element::Byte => (c"B", 1),
            Element::Word => (c"H", 2),
        };
        debug_assert_eq!(shape.iter().product::<usize>() * item_size, bytes.len());
        let shape: Box<[isize]> = shape.iter().map(|&size| size as isize).collect();
        let mut strides = vec![0; shape.len()].into_boxed_slice();
        let mut step = item_size as isize;
        for (stride, size) in strides.iter_mut().zip(&shape).rev() {
            *stride = step;
            step *= size;
        }
        Self { bytes, shape, strides, format: format.to_owned(), item_size }
    }

    /// A memoryview of it.
    pub fn view(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let made = Bound::new(py, self)?;
        Ok(PyMemoryView::from(made.as_any())?.into_any().unbind())
    }
}

#[pymethods]
impl Buffer {
    fn __len__(&self) -> usize {
        self.bytes.len()
    }

    fn __repr__(&self) -> String {
        format!("<farchive.Buffer of {} bytes>", self.bytes.len())
    }

    /// Fills in what the buffer protocol asks for.
    ///
    /// # Safety
    /// `view` is what Python hands over: it points to a structure to fill, or is null.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no place for the buffer"));
        }
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            // SAFETY: it is not null.
            unsafe { (*view).obj = ptr::null_mut() };
            return Err(PyBufferError::new_err("the bytes of a package can't be written to"));
        }
        let it = slf.get();
        let has = |flag: c_int| flags & flag == flag;
        // All pointers lead into `it`, which lives as long as the view keeps its object and never changes.
        let shape = if has(ffi::PyBUF_ND) { it.shape.as_ptr().cast_mut() } else { ptr::null_mut() };
        let strides =
            if has(ffi::PyBUF_STRIDES) { it.strides.as_ptr().cast_mut() } else { ptr::null_mut() };
        let format =
            if has(ffi::PyBUF_FORMAT) { it.format.as_ptr().cast_mut() } else { ptr::null_mut() };
        // SAFETY: it is not null, and Python takes over the reference to the object.
        unsafe {
            (*view).buf = it.bytes.as_ptr().cast_mut().cast::<c_void>();
            (*view).len = it.bytes.len() as isize;
            (*view).readonly = 1;
            (*view).itemsize = it.item_size as isize;
            (*view).format = format;
            (*view).ndim = it.shape.len() as c_int;
            (*view).shape = shape;
            (*view).strides = strides;
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = ptr::null_mut();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}
