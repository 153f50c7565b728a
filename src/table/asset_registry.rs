//! What the asset registry knows about the package without loading it.

use crate::archive::layout::Layout;
use crate::error::ErrorKind;
use crate::primitive::{FString, Name, array};
use crate::version::threshold::{ue4, ue5};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// The package's assets with their searchable tags.
///
/// Spec: ue4-5/03 §12.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetRegistryData {
    /// Start of [`AssetDependencies`], bytes from the start of the file.
    #[archive(when = has_dependencies(ar))]
    pub dependency_data_offset: i64,
    /// The assets.
    pub assets: Vec<AssetData>,
}

/// Whether a package tells how its imports are used.
pub(crate) fn has_dependencies<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.ue4 >= ue4::ASSETREGISTRY_DEPENDENCYFLAGS && versions.has_editor_only_data()
}

/// An asset: FString path, FString class, i32 n, n × tag.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetData {
    /// Path within the package. C++: `ObjectPath`.
    pub object_path: FString,
    /// Its class; `/Script/Engine.Blueprint` from UE5.1. C++: `ObjectClassName`.
    pub object_class_name: FString,
    /// Tags in stored order.
    pub tags: Vec<AssetTag>,
}

/// A tag: FString key, FString value.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetTag {
    /// The key.
    pub key: FString,
    /// The value.
    pub value: FString,
}

/// How the package depends on others, from UE4 object version 521.
///
/// Spec: ue4-5/03 §12.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetDependencies {
    /// C++: `ImportUsedInGame`.
    pub import_used_in_game: BitArray,
    /// C++: `SoftPackageUsedInGame`.
    pub soft_package_used_in_game: BitArray,
    /// C++: `ExtraPackageDependencies`.
    #[since(ue5 = ue5::ASSETREGISTRY_PACKAGEBUILDDEPENDENCIES)]
    pub extra_package_dependencies: Vec<PackageDependency>,
}

/// A further package that is depended on.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackageDependency {
    /// The package.
    pub package: Name,
    /// 1 for building, 2 for management.
    pub flags: u32,
}

/// `TBitArray`: i32 number of bits, then as many u32 words as they fill; bit i is bit i % 32 of word
/// i / 32 (spec: ue4-5/01 §5). Bits behind the last one are kept.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct BitArray {
    length: u32,
    words: Vec<u32>,
}

impl BitArray {
    /// Number of bits.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// One bit.
    pub fn get(&self, at: usize) -> Option<bool> {
        let word = self.words.get(at / 32)?;
        (at < self.len()).then_some(word >> (at % 32) & 1 != 0)
    }

    /// Appends a bit; at most `i32::MAX` are kept.
    pub fn push(&mut self, bit: bool) {
        let at = self.len();
        if at >= i32::MAX as usize {
            return;
        }
        if at.is_multiple_of(32) {
            self.words.push(0);
        }
        if let Some(word) = self.words.get_mut(at / 32) {
            *word = *word & !(1 << (at % 32)) | u32::from(bit) << (at % 32);
        }
        self.length += 1;
    }
}

impl Archived for BitArray {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // Never more than `i32::MAX`: loading and pushing see to it.
        let mut length = self.length as i32;
        crate::archive::in_field("length", ar, |ar| ar.serialize_i32(&mut length))?;
        self.length = u32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: length.into() }))?;
        let words = self.length.div_ceil(32) as usize;
        crate::archive::in_field("words", ar, |ar| array::elements(&mut self.words, words, ar))
    }
}
