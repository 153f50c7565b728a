//! The list of custom versions in the summary.

use crate::archive::layout::Layout;
use crate::archive::{ArchiveExt, Step};
use crate::primitive::{FString, Guid, array};
use crate::version::custom;
use crate::{Archive, Archived, Described, Result};

/// The custom versions of a package in file order, in one of three forms.
///
/// The header before it says the form ([`super::FileVersions::custom_version_form`]).
/// Spec: ue4-5/02 §4.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub enum CustomVersions {
    /// Headers of form -1 have no list.
    #[default]
    Absent,
    /// Form -2.
    Tagged(Vec<TaggedVersion>),
    /// Forms -3 to -5.
    Named(Vec<NamedVersion>),
    /// Form -6 and newer.
    Plain(Vec<CustomVersion>),
}

/// A version whose tag stands for the GUID (0, 0, 0, tag).
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaggedVersion {
    /// Which one.
    #[archive(role = identity)]
    pub tag: u32,
    /// Its version.
    pub version: i32,
}

/// A version with its name.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedVersion {
    /// Which one.
    #[archive(with = key, role = identity)]
    pub key: Guid,
    /// Its version.
    pub version: i32,
    /// The engine's name for it.
    pub friendly_name: FString,
}

/// A version.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CustomVersion {
    /// Which one.
    #[archive(with = key, role = identity)]
    pub key: Guid,
    /// Its version.
    pub version: i32,
}

fn key<A: Archive + ?Sized>(key: &mut Guid, ar: &mut A) -> Result<()> {
    key.serialize(ar)?;
    ar.step(Step::Note(&|_, _| custom::name_of(key).unwrap_or_default().to_string()));
    Ok(())
}

impl CustomVersions {
    /// The list where it stands behind the size of the header, which all such headers have in one form.
    pub(crate) fn serialize_plain<A: Archive + ?Sized>(list: &mut Self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *list = Self::Plain(Vec::new());
        }
        list.serialize(ar)
    }

    /// GUID and version of each row.
    pub fn rows(&self) -> Vec<(Guid, i32)> {
        match self {
            Self::Absent => Vec::new(),
            Self::Tagged(rows) => {
                rows.iter().map(|row| (Guid::new(0, 0, 0, row.tag), row.version)).collect()
            }
            Self::Named(rows) => rows.iter().map(|row| (row.key, row.version)).collect(),
            Self::Plain(rows) => rows.iter().map(|row| (row.key, row.version)).collect(),
        }
    }
}

/// Loading keeps the form that the value has and tells the archive the versions, if there are any.
impl Archived for CustomVersions {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Absent => {}
            Self::Tagged(rows) => array::counted_i32(rows, ar)?,
            Self::Named(rows) => array::counted_i32(rows, ar)?,
            Self::Plain(rows) => array::counted_i32(rows, ar)?,
        }
        if ar.is_loading() {
            let rows = self.rows();
            if !rows.is_empty() {
                let mut versions = ar.versions().clone();
                versions.set_custom_versions(rows);
                ar.set_versions(versions);
            }
        }
        Ok(())
    }
}
