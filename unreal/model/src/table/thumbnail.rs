//! Thumbnails.

use crate::archive::Role;
use crate::primitive::FString;
use crate::{Archive, ArchiveExt, Archived, Kind, Result, Span};

/// A row of the thumbnail table, from file version 584.
///
/// Spec: ue1-3/03 §3.8.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct Thumbnail {
    /// Class of the object.
    pub class_name: FString,
    /// Path of the object.
    pub object_path: FString,
    /// Start of the image, from the start of the file.
    pub file_offset: i32,
}

/// The image of a thumbnail.
///
/// Spec: ue1-3/03 §3.8. C++: `FObjectThumbnail`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ThumbnailImage {
    /// Width, pixels.
    pub width: i32,
    /// Height, pixels.
    pub height: i32,
    /// The image as PNG, behind its size in bytes as an `i32`.
    #[archive(with = image)]
    pub image: Span,
}

fn image<A: Archive + ?Sized>(image: &mut Span, ar: &mut A) -> Result<()> {
    use crate::error::ErrorKind;
    let length = image.len();
    let mut size = i32::try_from(length)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length.into(), bits: 31 }))?;
    ar.serialize_i32(&mut size)?;
    ar.role(Role::Size);
    let size = u64::try_from(size)
        .map_err(|_| ar.error(ErrorKind::NegativeCount { count: size.into() }))?;
    ar.serialize_span(image, size, Kind::Payload)
}
