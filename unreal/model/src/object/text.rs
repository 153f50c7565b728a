//! Text buffers, metadata, redirectors.

use crate::Archived;
use crate::primitive::{FString, Map, Name, PackageIndex};

/// A text: the source of a class, a readme.
///
/// Spec: ue1-3/06 §6.1. C++: `UTextBuffer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TextBuffer {
    /// Cursor of the editor, 0.
    pub pos: u32,
    /// First visible line of the editor, 0.
    pub top: u32,
    /// The text.
    pub text: FString,
}

/// Texts of the editor about objects, by key; UE3.
///
/// Spec: ue1-3/06 §6.1. C++: `UMetaData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MetaData {
    /// By path, below version 541.
    #[until(541)]
    pub by_path: Map<FString, Map<Name, FString>>,
    /// By object, from version 541.
    #[since(541)]
    pub by_object: Map<PackageIndex, Map<Name, FString>>,
}

/// Stands where an object was and says where it went; UE3.
///
/// Spec: ue1-3/06 §6.1. C++: `UObjectRedirector`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ObjectRedirector {
    /// The object.
    pub destination_object: PackageIndex,
}
