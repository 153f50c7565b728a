//! Packages in a registry, and what depends on what.

use super::asset_registry::{DEPENDENCY_FLAGS, RegistryForm};
use super::registry_names::{RegistryName, counted};
use crate::archive::{at_index, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Guid, array};
use crate::{Archive, ArchiveExt, Archived, FString};

/// First version with hard references of managers.
const HARD_MANAGE: i32 = 5;
/// First version with a hash of the cooked package.
const COOKED_HASH: i32 = 6;
/// First version with versions.
const VERSIONS_ADDED: i32 = 9;
/// First version with imported classes.
const IMPORTED_CLASSES: i32 = 10;
/// First version with the UE5 version.
const UE5_VERSION: i32 = 11;
/// First version with hashes of chunks.
const CHUNK_HASHES: i32 = 13;
/// First version with the file's extension.
const EXTENSION: i32 = 17;
/// First version with the hash of what was saved in place of a GUID.
const SAVED_HASH: i32 = 20;
/// First version whose managers have two flags, of which a set takes three bits.
const MANAGER_FLAGS: i32 = 22;

/// Parts that an identifier may have: package, primary asset type, object, value.
const PARTS: u8 = 4;

/// What depends on others, and what on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryNode {
    /// Which parts the identifier has: bit 0 package, 1 type of a primary asset, 2 object, 3 value.
    pub parts: u8,
    /// Those parts.
    pub identifier: Vec<RegistryName>,
    /// Rows of other nodes by kind: below version 7 hard, soft, names, soft and (from 5) hard managers, and those that
    /// refer to it; from 7 packages, names, managers, and those that refer to it.
    pub lists: Vec<Vec<i32>>,
    /// Flags of the packages, five bits each, from version 7.
    pub package_flags: Vec<u32>,
    /// Flags of the managers, one bit each, from version 7; three from version 22.
    pub manage_flags: Vec<u32>,
}

impl RegistryNode {
    pub(super) fn serialize<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        in_field("parts", ar, |ar| ar.serialize_u8(&mut self.parts))?;
        let parts = (0..PARTS).filter(|part| self.parts >> part & 1 != 0).count();
        in_field("identifier", ar, |ar| {
            sized(&mut self.identifier, parts, ar, |name, ar| name.serialize(form, ar))
        })?;
        match form.version < DEPENDENCY_FLAGS {
            true => self.serialize_counts(form, ar),
            false => self.serialize_flagged(form, ar),
        }
    }

    /// As many lists as there are kinds.
    fn shape<A: Archive + ?Sized>(&mut self, kinds: usize, ar: &A) -> Result<()> {
        if ar.is_loading() {
            self.lists.clear();
            self.lists.resize_with(kinds, Vec::new);
        }
        match self.lists.len() == kinds {
            true => Ok(()),
            false => Err(ar.error(ErrorKind::NotInVersion)),
        }
    }

    /// Below version 7: all counts, then all rows.
    fn serialize_counts<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        private::absent(&mut self.package_flags, ar, "package_flags")?;
        private::absent(&mut self.manage_flags, ar, "manage_flags")?;
        let kinds = if form.version >= HARD_MANAGE { 6 } else { 5 };
        self.shape(kinds, ar)?;
        let mut counts = Vec::new();
        in_field("counts", ar, |ar| {
            for list in &mut self.lists {
                counts.push(array::serialize_i32_count(list.len(), ar)?);
            }
            Ok(())
        })?;
        in_field("lists", ar, |ar| {
            let mut counts = counts.iter();
            sized(&mut self.lists, kinds, ar, |list, ar| {
                let count = counts.next().copied().unwrap_or_default();
                array::elements(list, count, ar)
            })
        })
    }

    /// From version 7: lists, two of them with flags behind.
    fn serialize_flagged<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        self.shape(4, ar)?;
        let manager_bits = if form.version >= MANAGER_FLAGS { 3 } else { 1 };
        for (at, field) in ["packages", "names", "managers", "referrers"].into_iter().enumerate() {
            let Some(list) = self.lists.get_mut(at) else { continue };
            in_field(field, ar, |ar| counted(list, ar, |row, ar| ar.serialize_i32(row)))?;
            let (flags, bits, field) = match at {
                0 => (&mut self.package_flags, 5, "package_flags"),
                2 => (&mut self.manage_flags, manager_bits, "manage_flags"),
                _ => continue,
            };
            let words = (list.len() * bits).div_ceil(32);
            in_field(field, ar, |ar| sized(flags, words, ar, |word, ar| ar.serialize_u32(word)))?;
        }
        Ok(())
    }
}

/// What the registry knows of a package's file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryPackage {
    /// The package.
    pub name: RegistryName,
    /// Bytes on disk.
    pub size: i64,
    /// Its GUID, below version 20.
    pub guid: Guid,
    /// The hash of the package as it was saved, from version 20.
    pub saved_hash: [u8; 20],
    /// MD5 of the cooked package, from version 6.
    pub cooked_hash: Option<[u8; 16]>,
    /// Hashes of its chunks, from version 13.
    pub chunk_hashes: Vec<ChunkHash>,
    /// The UE4 version, from version 9.
    pub ue4: i32,
    /// The UE5 version, from version 11.
    pub ue5: i32,
    /// The licensee version, from version 9.
    pub licensee: i32,
    /// Flags of versions, from version 9.
    pub flags: u32,
    /// Custom versions, from version 9.
    pub custom: Vec<(Guid, i32)>,
    /// Classes that it imports, from version 10.
    pub imported_classes: Vec<RegistryName>,
    /// The extension of its file, from version 17.
    pub extension: FString,
}

/// A chunk's name and the hash of its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkHash(pub [u8; 32]);

impl RegistryPackage {
    pub(super) fn serialize<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        let version = form.version;
        in_field("name", ar, |ar| self.name.serialize(form, ar))?;
        in_field("size", ar, |ar| ar.serialize_i64(&mut self.size))?;
        if version < SAVED_HASH {
            in_field("guid", ar, |ar| self.guid.serialize(ar))?;
            private::absent(&mut self.saved_hash, ar, "saved_hash")?;
        } else {
            private::absent(&mut self.guid, ar, "guid")?;
            in_field("saved_hash", ar, |ar| ar.serialize_bytes(&mut self.saved_hash))?;
        }
        if version >= COOKED_HASH {
            let mut present = self.cooked_hash.is_some();
            in_field("has_cooked_hash", ar, |ar| present.serialize(ar))?;
            if ar.is_loading() {
                self.cooked_hash = present.then(<[u8; 16]>::default);
            }
            if let Some(hash) = &mut self.cooked_hash {
                in_field("cooked_hash", ar, |ar| ar.serialize_bytes(hash))?;
            }
        } else {
            private::absent(&mut self.cooked_hash, ar, "cooked_hash")?;
        }
        if version >= CHUNK_HASHES {
            in_field("chunk_hashes", ar, |ar| {
                counted(&mut self.chunk_hashes, ar, |hash, ar| ar.serialize_bytes(&mut hash.0))
            })?;
        } else {
            private::absent(&mut self.chunk_hashes, ar, "chunk_hashes")?;
        }
        for (number, field, since) in [
            (&mut self.ue4, "ue4", VERSIONS_ADDED),
            (&mut self.ue5, "ue5", UE5_VERSION),
            (&mut self.licensee, "licensee", VERSIONS_ADDED),
        ] {
            match version >= since {
                true => in_field(field, ar, |ar| ar.serialize_i32(number))?,
                false => private::absent(number, ar, field)?,
            }
        }
        if version >= VERSIONS_ADDED {
            in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))?;
            in_field("custom", ar, |ar| array::counted_i32(&mut self.custom, ar))?;
        } else {
            private::absent(&mut self.flags, ar, "flags")?;
            private::absent(&mut self.custom, ar, "custom")?;
        }
        if version >= IMPORTED_CLASSES {
            in_field("imported_classes", ar, |ar| {
                counted(&mut self.imported_classes, ar, |name, ar| name.serialize(form, ar))
            })?;
        } else {
            private::absent(&mut self.imported_classes, ar, "imported_classes")?;
        }
        match version >= EXTENSION {
            true => in_field("extension", ar, |ar| self.extension.serialize(ar)),
            false => private::absent(&mut self.extension, ar, "extension"),
        }
    }
}

/// As many as something else says.
fn sized<T: Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    ar: &mut A,
    mut each: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    if ar.is_loading() {
        ar.claim(count as u64, size_of::<T>())?;
        values.resize_with(count, T::default);
    } else if values.len() != count {
        return Err(ar.error(ErrorKind::NotInVersion));
    }
    for (index, value) in values.iter_mut().enumerate() {
        at_index(index, ar, |ar| each(value, ar))?;
    }
    Ok(())
}
