//! Facial animation.

use crate::Archived;
use crate::primitive::Payload;

/// An archive of FaceFX, which starts with `FACE` and has its own versions and strings; it refers to
/// nothing in the package.
///
/// Spec: ue1-3/11 §11.1. C++: `UFaceFXAsset`, `UFaceFXAnimSet`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FaceFx {
    /// The archive.
    pub archive: Payload<1>,
    /// The session of its editor.
    pub session: Payload<1>,
}
