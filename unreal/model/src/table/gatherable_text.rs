//! Texts for translators.

use crate::archive::Role;
use crate::archive::layout::Layout;
use crate::error::UnrealError;
use crate::primitive::{Bool32, FString};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// A text of the package with the places that use it, from UE4 object version 459.
///
/// Spec: ue4-5/03 §3. C++: `FGatherableTextData`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct GatherableText {
    /// C++: `NamespaceName`.
    pub namespace: FString,
    /// C++: `SourceData.SourceString`.
    pub source_string: FString,
    /// C++: `SourceData.SourceStringMetaData`.
    pub source_meta_data: LocMetadata,
    /// C++: `SourceSiteContexts`.
    pub contexts: Vec<TextContext>,
}

/// One place that uses a text. Spec: ue4-5/03 §3. C++: `FTextSourceSiteContext`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct TextContext {
    /// C++: `KeyName`.
    pub key: FString,
    /// C++: `SiteDescription`.
    pub site: FString,
    /// C++: `IsEditorOnly`.
    pub editor_only: Bool32,
    /// C++: `IsOptional`.
    pub optional: Bool32,
    /// C++: `InfoMetaData`.
    pub info_meta_data: LocMetadata,
    /// C++: `KeyMetaData`.
    pub key_meta_data: LocMetadata,
}

/// Values by key that accompany a text: i32 count, which is 0 in every known package.
///
/// The layout of values is not known for certain, so a section with one stays as it is.
/// Spec: ue4-5/01 §9. C++: `FLocMetadataObject`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LocMetadata;

impl Archived for LocMetadata {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = 0;
        ar.serialize_i32(&mut count)?;
        ar.role(Role::Count);
        if ar.is_loading() && count != 0 {
            let reason = format!("{count} values of text metadata, whose layout is not known");
            return Err(ar.error(UnrealError::unsupported(reason)));
        }
        Ok(())
    }
}
