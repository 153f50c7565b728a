//! Declared properties.

use super::{Field, PropertyClass};
use crate::error::Result;
use crate::primitive::{FString, Name, PackageIndex, StoredName, script_flags};
use crate::version::{UnrealVersions, threshold};
use crate::{Archive, Archived, Game};

/// The flag of properties that are replicated (spec: ue1-3/08 §8.5).
const NET: u64 = 0x20;
/// The flag of properties with a comment in UE2 (spec: ue1-3/06 §6.1).
const COMMENTED: u64 = 0x0200_0000;

/// A declared property.
///
/// Spec: ue1-3/06 §6.1, 10 §10.6. C++: `UProperty`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UProperty {
    /// The part that all fields have.
    pub field: Field,
    /// Elements of a static array; the high half is the size of one.
    pub array_dim: u32,
    /// Flags: a `u32`, a `u64` from 190. C++: `PropertyFlags`.
    #[archive(with = flags)]
    pub property_flags: u64,
    /// Category in the editor.
    #[archive(when = !is_console_cooked(ar))]
    pub category: StoredName,
    /// The enum that counts the elements.
    #[archive(when = has_array_enum(ar))]
    pub array_enum: PackageIndex,
    /// Place in the replication conditions.
    #[archive(when = self.property_flags & NET != 0)]
    pub rep_offset: u16,
    /// Names for SWAT 4's editor.
    #[archive(when = ar.versions().game() == Game::Swat4)]
    pub vengeance: [Name; 2],
    /// The comment in the source.
    #[archive(when = has_comment(ar, self.property_flags))]
    pub comment: FString,
    /// Name of the ini section in XCOM 2.
    #[archive(when = ar.versions().game() == Game::Xcom2)]
    pub config_name: StoredName,
    /// The part of the property's class.
    pub class: PropertyClass,
}

/// Whether a console's cooker has left out what only the editor needs: seen in Mass Effect 3 for PS3,
/// whose PC version keeps it (spec: ue1-3/06 §6.4).
fn is_console_cooked<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.game() == Game::MassEffect3 && versions.byte_order.is_big()
}

/// From 401, and in Mass Effect 1 already at 391.
fn has_array_enum<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    let early = versions.file() >= 391 && versions.game() == Game::MassEffect1;
    (versions.file() >= 401 || early) && !is_console_cooked(ar)
}

fn flags<A: Archive + ?Sized>(flags: &mut u64, ar: &mut A) -> Result<()> {
    if ar.versions().file() >= 190 {
        return script_flags::property(flags, ar);
    }
    script_flags::narrow_property(flags, ar)
}

fn has_comment<A: Archive + ?Sized>(ar: &A, flags: u64) -> bool {
    let versions = ar.versions();
    versions.game() == Game::Swat4
        || ((70..threshold::COMPACT_INDEX_REMOVED).contains(&versions.file())
            && flags & COMMENTED != 0)
}

impl UProperty {
    /// An empty property of this class, to be loaded.
    pub fn new(class: PropertyClass) -> Self {
        Self { class, ..Self::default() }
    }
}
