//! Pictures.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use unreal_packages::content::Pixels;

use crate::arguments::Source;
use crate::buffer::{Buffer, Element};
use crate::error::OrRaise;

/// A picture, row by row from the top.
#[pyclass(frozen, module = "farchive")]
#[derive(Debug)]
pub struct Image {
    /// The library's.
    pub picture: Arc<unreal_packages::content::Image>,
    /// Colours of a picture that has indices or brightness.
    colors: OnceLock<Bytes>,
}

/// The pixels of a picture as bytes, where they lie.
struct Shared(Arc<unreal_packages::content::Image>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        match self.0.pixels() {
            Pixels::Rgba(pixels) => pixels.as_flattened(),
            Pixels::Indexed { indices, .. } => indices,
            Pixels::Gray(pixels) => pixels,
            _ => &[],
        }
    }
}

impl Image {
    /// A picture of the library.
    pub fn new(picture: unreal_packages::content::Image) -> Self {
        Self { picture: Arc::new(picture), colors: OnceLock::new() }
    }

    fn shared(&self) -> Bytes {
        Bytes::from_owner(Shared(self.picture.clone()))
    }

    fn array(&self, py: Python<'_>, bytes: Bytes, depth: Option<usize>) -> PyResult<Py<PyAny>> {
        let (width, height) = (self.picture.width() as usize, self.picture.height() as usize);
        let shape: Vec<_> = [height, width].into_iter().chain(depth).collect();
        Buffer::shaped(bytes, &shape, Element::Byte).view(py)
    }
}

#[pymethods]
impl Image {
    /// A picture of colours with alpha: four bytes a pixel.
    #[new]
    fn from_rgba(
        py: Python<'_>,
        width: u32,
        height: u32,
        rgba: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let bytes = match pyo3::buffer::PyBuffer::<u8>::get(rgba) {
            Ok(buffer) => Bytes::from(buffer.to_vec(py)?),
            Err(error) => return Err(error),
        };
        let (pixels, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(crate::error::invalid(
                py,
                "a pixel has four bytes: red, green, blue, alpha",
            ));
        }
        unreal_packages::content::Image::from_rgba(width, height, pixels.to_vec())
            .or_raise(py)
            .map(Self::new)
    }

    /// Reads a PNG or BMP file.
    #[staticmethod]
    fn read(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Source::of(source)?.read(py)?;
        py.detach(|| unreal_packages::content::Image::read(&bytes)).or_raise(py).map(Self::new)
    }

    #[getter]
    fn width(&self) -> u32 {
        self.picture.width()
    }

    #[getter]
    fn height(&self) -> u32 {
        self.picture.height()
    }

    #[getter]
    fn mode(&self) -> &'static str {
        match self.picture.pixels() {
            Pixels::Rgba(_) => "RGBA",
            Pixels::Indexed { .. } => "P",
            Pixels::Gray(_) => "L",
            Pixels::Gray16(_) => "I;16",
            _ => "other",
        }
    }

    #[getter]
    fn pixels(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.picture.pixels() {
            Pixels::Indexed { .. } | Pixels::Gray(_) => self.array(py, self.shared(), None),
            Pixels::Gray16(pixels) => {
                let (width, height) =
                    (self.picture.width() as usize, self.picture.height() as usize);
                let bytes: Vec<u8> = pixels.iter().flat_map(|word| word.to_ne_bytes()).collect();
                Buffer::shaped(bytes.into(), &[height, width], Element::Word).view(py)
            }
            _ => self.rgba(py),
        }
    }

    #[getter]
    fn palette(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let Pixels::Indexed { palette, .. } = self.picture.pixels() else { return Ok(None) };
        let bytes = palette.as_flattened().to_vec();
        Buffer::shaped(bytes.into(), &[palette.len(), 4], Element::Byte).view(py).map(Some)
    }

    #[getter]
    fn rgba(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let bytes = match self.picture.pixels() {
            Pixels::Rgba(_) => self.shared(),
            _ => {
                let made = || Bytes::from(self.picture.to_rgba().into_flattened());
                py.detach(|| self.colors.get_or_init(made).clone())
            }
        };
        self.array(py, bytes, Some(4))
    }

    /// The picture as a PNG file.
    fn to_png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.picture.to_png()).or_raise(py)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The picture for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_png(py)
    }

    fn __repr__(&self) -> String {
        let (width, height) = (self.picture.width(), self.picture.height());
        format!("<farchive.Image {width} by {height}, {}>", self.mode())
    }
}
