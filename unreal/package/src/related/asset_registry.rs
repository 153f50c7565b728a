//! `AssetRegistry.bin`: what assets a game has, their tags, and how packages depend on each other.

use std::sync::Arc;

use bytes::Bytes;

use super::registry_assets::RegistryAsset;
use super::registry_names::{RegistryNames, counted};
use super::registry_packages::{RegistryNode, RegistryPackage};
use super::registry_tags::TagStore;
use crate::archive::{Context, Coverage, Kind, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::version::{UnrealVersions, custom};
use crate::{Archive, ArchiveExt, Archived, Loader, Saver, Span, Versions};

/// What files start with: the GUID of the registry's custom version.
const MAGIC: [u8; 16] = [
    0xe7, 0x9e, 0x7f, 0x71, 0x3a, 0x49, 0xb0, 0xe9, 0x32, 0x91, 0xb3, 0x88, 0x07, 0x81, 0x38, 0x1b,
];
/// The oldest version with a layout that is known.
const OLDEST: i32 = 3;
/// The newest one.
const NEWEST: i32 = 24;

/// First version whose dependencies have flags.
pub(super) const DEPENDENCY_FLAGS: i32 = 7;
/// First version with a batch of names at the start, and tags in a store of their own.
pub(super) const FIXED_TAGS: i32 = custom::asset_registry::FIXED_TAGS;
/// First version that says whether data of the editor was left out.
const FILTER_ADDED: i32 = 16;
/// First version whose parts of the store stand at multiples of [`ALIGNMENT`], so that a file can be mapped.
const ALIGNED_TAGS: i32 = 24;
/// Where the parts of the store stand from then on.
const ALIGNMENT: u64 = 16;

/// What decides the layout of a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RegistryForm {
    pub version: i32,
    pub filtered: bool,
}

impl RegistryForm {
    /// Zeros before a part of the store, where the version aligns them. A document has them as they were; how many
    /// the bytes need is counted when those are made, since a longer text moves what follows.
    pub fn align<A: Archive + ?Sized>(self, ar: &mut A) -> Result<()> {
        if self.version < ALIGNED_TAGS {
            return Ok(());
        }
        let start = ar.position();
        let length = usize::try_from(start.next_multiple_of(ALIGNMENT) - start).unwrap_or_default();
        let is_document = ar.is_loading() && ar.form("is_document", &[], 0).is_some();
        if ar.is_loading() && !is_document {
            let mut found = [0; ALIGNMENT as usize];
            let found = found.get_mut(..length).unwrap_or_default();
            in_field("padding", ar, |ar| ar.serialize_bytes(found))?;
            if found.iter().any(|byte| *byte != 0) {
                let form = "padding that is not zero";
                return Err(ar.error_at(start, ErrorKind::NonCanonical { form }));
            }
            return Ok(());
        }
        let mut zeros = if is_document { Span::default() } else { Span::owned(vec![0; length]) };
        let length = if is_document { 0 } else { length as u64 };
        in_field("padding", ar, |ar| ar.serialize_span(&mut zeros, length, Kind::Text))
    }
}

/// The registry of a game's assets: an `AssetRegistry.bin` file.
///
/// | version | names | tags of an asset |
/// |---|---|---|
/// | 3 to 7 | at the end, each with two hashes | name and text each |
/// | 8 to 24 | at the start, as a batch | a range of the store's pairs; from 24 its parts are aligned to 16 bytes |
///
/// Versions 18 to 23 are known from public readers alone; files of 5, 6, 8, 17 and 24 were read.
///
/// Spec: ue4-5/14 §14.3. C++: `FAssetRegistryState`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssetRegistry {
    /// 3 to 24.
    pub version: i32,
    /// Whether data of the editor was left out, from version 16.
    pub filter_editor_only: bool,
    /// The texts of all names.
    pub names: RegistryNames,
    /// The tags of all assets, from version 8.
    pub tags: TagStore,
    /// The assets in stored order.
    pub assets: Vec<RegistryAsset>,
    /// What depends on what.
    pub dependencies: Vec<RegistryNode>,
    /// The packages.
    pub packages: Vec<RegistryPackage>,
    /// What stands behind all; nothing in every file seen.
    pub rest: Span,
}

impl Archived for AssetRegistry {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        private::magic(&MAGIC, ar)?;
        in_field("version", ar, |ar| ar.serialize_i32(&mut self.version))?;
        if !(OLDEST..=NEWEST).contains(&self.version) {
            let (value, type_name) = (self.version.into(), "AssetRegistry");
            return Err(ar.error(ErrorKind::UnknownVariant { value, type_name }));
        }
        if self.version >= FILTER_ADDED {
            in_field("filter_editor_only", ar, |ar| self.filter_editor_only.serialize(ar))?;
        } else {
            private::absent(&mut self.filter_editor_only, ar, "filter_editor_only")?;
        }
        let form = RegistryForm { version: self.version, filtered: self.filter_editor_only };
        if form.version >= FIXED_TAGS {
            in_field("names", ar, |ar| self.names.serialize_batch(ar))?;
            in_field("tags", ar, |ar| self.tags.serialize(form, ar))?;
            self.serialize_rows(form, ar)?;
        } else {
            private::absent(&mut self.tags, ar, "tags")?;
            let (place, mut names_at) = (ar.position(), 0_i64);
            in_field("names_at", ar, |ar| ar.serialize_i64(&mut names_at))?;
            self.serialize_rows(form, ar)?;
            let here = ar.position().cast_signed();
            // A document says no positions that count.
            if ar.is_loading() && ar.form("is_document", &[], 0).is_none() && names_at != here {
                let (offset, length) = (names_at, here.cast_unsigned());
                return Err(ar.error(ErrorKind::BadOffset { offset, length }));
            }
            ar.patch_i64(place, here)?;
            in_field("names", ar, |ar| self.names.serialize_list(ar))?;
        }
        let length = ar.peek(usize::MAX).len() as u64;
        in_field("rest", ar, |ar| ar.serialize_span(&mut self.rest, length, Kind::Opaque))
    }
}

impl AssetRegistry {
    fn serialize_rows<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        in_field("assets", ar, |ar| {
            counted(&mut self.assets, ar, |row, ar| row.serialize(form, ar))
        })?;
        let (place, mut size) = (ar.position(), 0_i64);
        if form.version >= DEPENDENCY_FLAGS {
            in_field("dependencies_size", ar, |ar| ar.serialize_i64(&mut size))?;
        }
        let start = ar.position();
        in_field("dependencies", ar, |ar| {
            counted(&mut self.dependencies, ar, |row, ar| row.serialize(form, ar))
        })?;
        if form.version >= DEPENDENCY_FLAGS {
            let length = ar.position() - start;
            if ar.is_loading()
                && ar.form("is_document", &[], 0).is_none()
                && size.cast_unsigned() != length
            {
                return Err(
                    ar.error(ErrorKind::LeftOver { left: size.cast_unsigned(), size: length })
                );
            }
            ar.patch_i64(place, length.cast_signed())?;
        }
        in_field("packages", ar, |ar| {
            counted(&mut self.packages, ar, |row, ar| row.serialize(form, ar))
        })
    }

    /// Whether a file says that it is a registry of assets.
    pub fn recognise(file: &[u8]) -> bool {
        file.starts_with(&MAGIC)
    }

    /// Reads a file, and how much of it is typed.
    ///
    /// # Errors
    /// `BadMagic` for another file, `UnknownVariant` for a version before 3 or beyond 24, `BadOffset` for names that
    /// do not stand where the header says, `UnexpectedEnd`, `TooLong` and the like for a damaged file.
    pub fn read(file: impl Into<Bytes>) -> Result<(Self, Coverage)> {
        let file = file.into();
        let mut loader = Loader::new(&file, Versions::ue4_and_5(0, 0));
        let mut registry = Self::default();
        registry.serialize(&mut loader)?;
        let (opaque, payload) = (loader.opaque(), loader.payload());
        let typed = (file.len() as u64).saturating_sub(opaque + payload);
        Ok((registry, Coverage { typed, payload, opaque, gap: 0 }))
    }

    /// The bytes of the file; `source` is what it was read from.
    ///
    /// # Errors
    /// `NotInVersion` for what the version lacks; `OutsideSource`.
    pub fn save(&mut self, source: impl Into<Bytes>) -> Result<Vec<u8>> {
        let context = Arc::new(Context::of(source));
        let mut saver = Saver::new(Versions::ue4_and_5(0, 0)).with_context(context);
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }
}
