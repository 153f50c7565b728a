//! Everything that decides a layout.

use std::fmt;
use std::sync::Arc;

use super::threshold::{ue4, ue5};
use super::{EngineRelease, Game, Guid, threshold};
use crate::error::VersionStamp;

/// The order in which the bytes of a number are stored (spec: ue1-3/01 §1.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ByteOrder {
    /// Least significant byte first: PC files.
    #[default]
    Little,
    /// Most significant byte first: Xbox 360, PS3 and Wii U files.
    Big,
}

impl ByteOrder {
    /// Whether the most significant byte comes first.
    #[inline]
    pub fn is_big(self) -> bool {
        self == Self::Big
    }
}

/// An engine generation; flags mean different things in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Engine {
    /// Unreal Engine 1: file versions below 99.
    Ue1,
    /// Unreal Engine 2: file versions 99 to 177.
    Ue2,
    /// Unreal Engine 3: file versions from 178.
    Ue3,
    /// Unreal Engine 4.
    Ue4,
    /// Unreal Engine 5.
    Ue5,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ue1 => "Unreal Engine 1",
            Self::Ue2 => "Unreal Engine 2",
            Self::Ue3 => "Unreal Engine 3",
            Self::Ue4 => "Unreal Engine 4",
            Self::Ue5 => "Unreal Engine 5",
        })
    }
}

/// One of the versions that a layout can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The file version of UE1 to UE3, or that of a format of your own.
    File,
    /// The licensee version beside it.
    Licensee,
    /// The UE4 object version.
    Ue4,
    /// The UE5 object version.
    Ue5,
    /// A custom version, known by its GUID.
    Custom(Guid),
}

/// Everything that decides a layout: versions, byte order, cooking, game.
///
/// `(file, licensee)` does not identify a game: `game` is detected when a header is loaded, and a
/// caller may set it beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Versions {
    /// File version of UE1 to UE3 (35 to 868), or the version of a format of your own. 864 in UE4 and UE5,
    /// as their headers say: what UE3 had reached stays reached.
    pub file: u32,
    /// Licensee version; 0 in most files that Epic made.
    pub licensee: u32,
    /// UE4 object version (214 to 522), 0 below UE4.
    pub ue4: u32,
    /// UE5 object version (1000 and up), 0 below UE5.
    pub ue5: u32,
    /// Custom versions, ascending by GUID ([`Versions::set_custom_versions`]); shared, since every archive
    /// carries them.
    pub custom_versions: Option<Arc<[(Guid, i32)]>>,
    /// The engine release, where a layout depends on what no version tells: as the caller says or the
    /// package shows.
    pub release: Option<EngineRelease>,
    /// Whether the package was cooked for a platform.
    pub cooked: bool,
    /// Whether editor-only data was left out; from UE4 this, not cooking, decides layouts.
    pub filter_editor_only: bool,
    /// Whether properties are stored without tags (UE4.25 and newer, cooked).
    pub unversioned_properties: bool,
    /// Byte order of every number.
    pub byte_order: ByteOrder,
    /// The game, where the layout depends on it.
    pub game: Game,
    /// Whether they are the versions of a format of your own ([`Versions::own`]).
    pub own: bool,
}

impl Versions {
    /// Versions of a classic package (UE1 to UE3), the game being detected from them.
    #[inline]
    pub fn ue1_to_3(file: u32, licensee: u32) -> Self {
        Self { file, licensee, game: Game::detect(file, licensee), ..Self::default() }
    }

    /// Versions of a package of UE4 (`ue5` 0) or UE5, without custom versions.
    #[inline]
    pub fn ue4_and_5(ue4: u32, ue5: u32) -> Self {
        Self { file: Self::LEGACY_UE3, ue4, ue5, game: Game::Mainline, ..Self::default() }
    }

    /// Version `file` of a format of your own: none of Unreal's thresholds counts, and counts are `u32`.
    #[inline]
    pub fn own(file: u32) -> Self {
        Self { file, own: true, ..Self::default() }
    }

    /// The file version that UE4 and UE5 state for readers of UE3 (spec: ue4-5/02 §3).
    pub const LEGACY_UE3: u32 = 864;

    /// Whether they are newer than any that is known: then the newest known rules are used.
    #[inline]
    pub fn are_newer_than_known(&self) -> bool {
        self.ue4 > ue4::CORRECT_LICENSEE_FLAG
            || self.ue5 > ue5::IMPORT_TYPE_HIERARCHIES
            || self.release.is_some_and(|release| !release.is_known())
    }

    /// Whether layouts follow object versions, as in UE4 and UE5, and not the file version.
    #[inline]
    pub fn has_object_versions(&self) -> bool {
        (self.ue4 | self.ue5) != 0
    }

    /// Whether header, bodies and what stands behind them lie one behind the other in every file, so that
    /// bodies may have a file of their own, `.uexp` (spec: ue4-5/06 §1).
    #[inline]
    pub fn has_tiled_layout(&self) -> bool {
        self.has_object_versions()
    }

    /// The package that holds what every other builds on: `Core`, `/Script/CoreUObject` from UE4.
    #[inline]
    pub fn core_package(&self) -> &'static str {
        if self.has_object_versions() { "/Script/CoreUObject" } else { "Core" }
    }

    /// The path of the class of classes, to which their rows refer by null.
    #[inline]
    pub fn class_of_classes(&self) -> &'static str {
        if self.has_object_versions() { "/Script/CoreUObject.Class" } else { "Core.Class" }
    }

    /// Whether objects refer to others by paths as well, so that those follow a change of names.
    #[inline]
    pub fn has_soft_references(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether a colon separates the objects within an asset from it (`/Game/Map.Map:Level.Door`).
    #[inline]
    pub fn has_subobject_paths(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether packages may be stored in compressed chunks.
    #[inline]
    pub fn has_compressed_chunks(&self) -> bool {
        !self.has_object_versions()
    }

    /// Whether it has data that only the editor uses: `FilterEditorOnly` is clear.
    #[inline]
    pub fn has_editor_only_data(&self) -> bool {
        !self.filter_editor_only
    }

    /// Whether the package was saved by `release` or a newer one: for layouts that no version tells apart.
    #[inline]
    pub fn is_release(&self, release: EngineRelease) -> bool {
        match self.release {
            Some(own) => own >= release,
            None => EngineRelease::of_versions(self.ue4, self.ue5) >= release,
        }
    }

    /// Replaces the custom versions. Of a GUID that is listed twice the first row counts.
    #[inline]
    pub fn set_custom_versions(&mut self, mut list: Vec<(Guid, i32)>) {
        list.sort_by_key(|(guid, _)| *guid);
        list.dedup_by_key(|(guid, _)| *guid);
        self.custom_versions = (!list.is_empty()).then(|| list.into());
    }

    /// The same versions in the other byte order.
    #[must_use]
    #[inline]
    pub fn with_byte_order(mut self, byte_order: ByteOrder) -> Self {
        self.byte_order = byte_order;
        self
    }

    /// The custom version of `guid`, or -1 when the package does not list it.
    #[inline]
    pub fn custom(&self, guid: &Guid) -> i32 {
        let Some(list) = &self.custom_versions else { return -1 };
        let at = list.binary_search_by_key(guid, |(known, _)| *known);
        at.ok().and_then(|at| list.get(at)).map_or(-1, |(_, version)| *version)
    }

    /// The engine generation.
    pub fn engine(&self) -> Engine {
        match self {
            _ if self.ue5 > 0 => Engine::Ue5,
            _ if self.ue4 > 0 => Engine::Ue4,
            _ if self.file < threshold::UE2_FIRST => Engine::Ue1,
            _ if self.file < threshold::COMPACT_INDEX_REMOVED => Engine::Ue2,
            _ => Engine::Ue3,
        }
    }

    /// Which of the first two Mass Effects a package of the third one's engine belongs to: those on
    /// PlayStation 3 (684/150 and 684/153) and in the Legendary Edition (684/168 and 684/171).
    pub fn mass_effect_port(&self) -> Option<u8> {
        match (self.game, self.file, self.licensee) {
            (Game::MassEffect3, 684, 153) | (Game::MassEffectLegendary, 684, 171) => Some(1),
            (Game::MassEffect3, 684, 150..=152) | (Game::MassEffectLegendary, 684, 168) => Some(2),
            _ => None,
        }
    }

    /// The versions that bodies are laid out by: Mass Effect 3 for Wii U has another file version in its
    /// header, and the bodies of the other platforms.
    #[must_use]
    pub fn of_bodies(&self) -> Self {
        let file = match self.game {
            Game::MassEffect3 => self.file.min(684),
            _ => self.file,
        };
        Self { file, ..self.clone() }
    }

    /// Whether names have numbers beside their rows (spec: ue1-3/01 §1.4: from file version 343 on).
    #[inline]
    pub fn has_name_numbers(&self) -> bool {
        self.file >= threshold::NAME_NUMBER_ADDED || (self.ue4 | self.ue5) != 0
    }

    /// Whether names have flags (spec: ue1-3/03 §3.1): not in Mass Effect's engine, nor from UE4 on.
    #[inline]
    pub fn has_name_flags(&self) -> bool {
        !self.game.has_no_name_flags() && !self.has_object_versions()
    }

    /// Whether indices and counts are compact (spec: ue1-3/01 §1.1: below file version 178).
    #[inline]
    pub fn has_compact_index(&self) -> bool {
        self.file < threshold::COMPACT_INDEX_REMOVED && (self.ue4 | self.ue5) == 0 && !self.own
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.own {
            write!(f, "{}", self.file)
        } else if self.ue4 | self.ue5 != 0 {
            write!(f, "ue4 {}, ue5 {}", self.ue4, self.ue5)
        } else {
            write!(f, "{}/{}", self.file, self.licensee)
        }
    }
}

impl From<&Versions> for VersionStamp {
    fn from(versions: &Versions) -> Self {
        match versions {
            _ if versions.own => Self::Own(versions.file),
            _ if versions.ue4 | versions.ue5 != 0 => Self::Object(versions.ue4, versions.ue5),
            _ => Self::File(versions.file, versions.licensee),
        }
    }
}
