//! Questions to the versions of packages.

use super::{
    Counts, Engine, EngineRelease, FILE, GAME, Game, LICENSEE, PACKAGES, RELEASE, STORED, UE4, UE5,
    Versions, threshold,
};
use farchive::archive::Versioned;

/// The package was cooked for a platform.
const COOKED: u32 = 1;
/// Editor-only data was left out.
const FILTER_EDITOR_ONLY: u32 = 2;
/// Properties are stored without tags.
const UNVERSIONED_PROPERTIES: u32 = 4;

/// [`Versions`] of Unreal's packages: their numbers by name, and what follows from them.
///
/// `(file, licensee)` does not identify a game: the game is detected when a header is loaded, and a caller may set it
/// beforehand.
pub trait UnrealVersions: Versioned {
    /// The file version that UE4 and UE5 state for readers of UE3 (spec: ue4-5/02 §3).
    const LEGACY_UE3: u32 = 864;

    /// Versions of a package of which nothing is known yet.
    #[inline]
    fn unreal() -> Versions {
        Versions::of(&PACKAGES)
    }

    /// Versions of a classic package (UE1 to UE3), the game being detected from them.
    #[inline]
    fn ue1_to_3(file: u32, licensee: u32) -> Versions {
        Self::unreal()
            .with(FILE, file)
            .with(LICENSEE, licensee)
            .with_game(Game::detect(file, licensee))
    }

    /// Versions of a package of UE4 (`ue5` 0) or UE5, without custom versions.
    #[inline]
    fn ue4_and_5(ue4: u32, ue5: u32) -> Versions {
        let versions = Self::unreal().with(FILE, Self::LEGACY_UE3).with(UE4, ue4).with(UE5, ue5);
        versions.with_game(Game::Mainline)
    }

    /// File version of UE1 to UE3 ([`FILE`]).
    #[inline(always)]
    fn file(&self) -> u32 {
        self.versions().get(FILE)
    }

    /// Licensee version ([`LICENSEE`]).
    #[inline(always)]
    fn licensee(&self) -> u32 {
        self.versions().get(LICENSEE)
    }

    /// UE4 object version ([`UE4`]), 0 below UE4.
    #[inline(always)]
    fn ue4(&self) -> u32 {
        self.versions().get(UE4)
    }

    /// UE5 object version ([`UE5`]), 0 below UE5.
    #[inline(always)]
    fn ue5(&self) -> u32 {
        self.versions().get(UE5)
    }

    /// The engine release, where a layout depends on what no version tells: as the caller says or the
    /// package shows.
    #[inline]
    fn release(&self) -> Option<EngineRelease> {
        EngineRelease::of_number(self.versions().get(RELEASE))
    }

    /// The game, where the layout depends on it.
    #[inline(always)]
    fn game(&self) -> Game {
        Game::of_number(self.versions().get(GAME))
    }

    /// Whether the package was cooked for a platform.
    #[inline(always)]
    fn cooked(&self) -> bool {
        self.versions().get(STORED) & COOKED != 0
    }

    /// Whether editor-only data was left out; from UE4 this, not cooking, decides layouts.
    #[inline(always)]
    fn filter_editor_only(&self) -> bool {
        self.versions().get(STORED) & FILTER_EDITOR_ONLY != 0
    }

    /// Whether properties are stored without tags (UE4.25 and newer, cooked).
    #[inline(always)]
    fn unversioned_properties(&self) -> bool {
        self.versions().get(STORED) & UNVERSIONED_PROPERTIES != 0
    }

    /// Sets the engine release.
    fn set_release(&mut self, release: Option<EngineRelease>);

    /// Sets the game.
    fn set_game(&mut self, game: Game);

    /// Sets whether the package was cooked.
    fn set_cooked(&mut self, cooked: bool);

    /// Sets whether editor-only data was left out.
    fn set_filter_editor_only(&mut self, filter: bool);

    /// Sets whether properties are stored without tags.
    fn set_unversioned_properties(&mut self, unversioned: bool);

    /// The same versions of this release.
    #[must_use]
    #[inline]
    fn with_release(mut self, release: Option<EngineRelease>) -> Self
    where
        Self: Sized,
    {
        self.set_release(release);
        self
    }

    /// The same versions of this game.
    #[must_use]
    #[inline]
    fn with_game(mut self, game: Game) -> Self
    where
        Self: Sized,
    {
        self.set_game(game);
        self
    }

    /// The same versions, cooked or not.
    #[must_use]
    #[inline]
    fn with_cooked(mut self, cooked: bool) -> Self
    where
        Self: Sized,
    {
        self.set_cooked(cooked);
        self
    }

    /// The same versions without editor-only data, or with it.
    #[must_use]
    #[inline]
    fn with_filter_editor_only(mut self, filter: bool) -> Self
    where
        Self: Sized,
    {
        self.set_filter_editor_only(filter);
        self
    }

    /// The same versions with properties without tags, or with tags.
    #[must_use]
    #[inline]
    fn with_unversioned_properties(mut self, unversioned: bool) -> Self
    where
        Self: Sized,
    {
        self.set_unversioned_properties(unversioned);
        self
    }

    /// Whether they are newer than any that is known: then the newest known rules are used.
    #[inline]
    fn are_newer_than_known(&self) -> bool {
        self.ue4() > threshold::ue4::CORRECT_LICENSEE_FLAG
            || self.ue5() > threshold::ue5::IMPORT_TYPE_HIERARCHIES
            || self.release().is_some_and(|release| !release.is_known())
    }

    /// Whether layouts follow object versions, as in UE4 and UE5, and not the file version.
    #[inline]
    fn has_object_versions(&self) -> bool {
        (self.ue4() | self.ue5()) != 0
    }

    /// Whether header, bodies and what stands behind them lie one behind the other in every file, so that
    /// bodies may have a file of their own, `.uexp` (spec: ue4-5/06 §1).
    #[inline]
    fn has_tiled_layout(&self) -> bool {
        self.has_object_versions()
    }

    /// The package that holds what every other builds on: `Core`, `/Script/CoreUObject` from UE4.
    #[inline]
    fn core_package(&self) -> &'static str {
        if self.has_object_versions() { "/Script/CoreUObject" } else { "Core" }
    }

    /// The path of the class of classes, to which their rows refer by null.
    #[inline]
    fn class_of_classes(&self) -> &'static str {
        if self.has_object_versions() { "/Script/CoreUObject.Class" } else { "Core.Class" }
    }

    /// Whether objects refer to others by paths as well, so that those follow a change of names.
    #[inline]
    fn has_soft_references(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether a colon separates the objects within an asset from it (`/Game/Map.Map:Level.Door`).
    #[inline]
    fn has_subobject_paths(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether packages may be stored in compressed chunks.
    #[inline]
    fn has_compressed_chunks(&self) -> bool {
        !self.has_object_versions()
    }

    /// Whether it has data that only the editor uses: `FilterEditorOnly` is clear.
    #[inline]
    fn has_editor_only_data(&self) -> bool {
        !self.filter_editor_only()
    }

    /// Whether the package was saved by `release` or a newer one: for layouts that no version tells apart.
    #[inline]
    fn is_release(&self, release: EngineRelease) -> bool {
        match self.release() {
            Some(own) => own >= release,
            None => EngineRelease::of_versions(self.ue4(), self.ue5()) >= release,
        }
    }

    /// The engine generation.
    #[inline]
    fn engine(&self) -> Engine {
        match self {
            _ if self.ue5() > 0 => Engine::Ue5,
            _ if self.ue4() > 0 => Engine::Ue4,
            _ if self.file() < threshold::UE2_FIRST => Engine::Ue1,
            _ if self.file() < threshold::COMPACT_INDEX_REMOVED => Engine::Ue2,
            _ => Engine::Ue3,
        }
    }

    /// Which of the first two Mass Effects a package of the third one's engine belongs to: those on
    /// PlayStation 3 (684/150 and 684/153) and in the Legendary Edition (684/168 and 684/171).
    fn mass_effect_port(&self) -> Option<u8> {
        match (self.game(), self.file(), self.licensee()) {
            (Game::MassEffect3, 684, 153) | (Game::MassEffectLegendary, 684, 171) => Some(1),
            (Game::MassEffect3, 684, 150..=152) | (Game::MassEffectLegendary, 684, 168) => Some(2),
            _ => None,
        }
    }

    /// The versions that bodies are laid out by: Mass Effect 3 for Wii U has another file version in its
    /// header, and the bodies of the other platforms.
    #[must_use]
    fn of_bodies(&self) -> Versions {
        let versions = self.versions().clone();
        match self.game() {
            Game::MassEffect3 => versions.with(FILE, self.file().min(684)),
            _ => versions,
        }
    }

    /// Whether names have numbers beside their rows (spec: ue1-3/01 §1.4: from file version 343 on).
    #[inline]
    fn has_name_numbers(&self) -> bool {
        self.file() >= threshold::NAME_NUMBER_ADDED || (self.ue4() | self.ue5()) != 0
    }

    /// Whether names have flags (spec: ue1-3/03 §3.1): not in Mass Effect's engine, nor from UE4 on.
    #[inline]
    fn has_name_flags(&self) -> bool {
        !self.game().has_no_name_flags() && !self.has_object_versions()
    }

    /// Whether indices and counts are compact (spec: ue1-3/01 §1.1: below file version 178).
    #[inline]
    fn has_compact_index(&self) -> bool {
        self.versions().counts() == Counts::Compact
    }
}

impl UnrealVersions for Versions {
    #[inline]
    fn set_release(&mut self, release: Option<EngineRelease>) {
        self.set(RELEASE, release.map_or(0, EngineRelease::number));
    }

    #[inline]
    fn set_game(&mut self, game: Game) {
        self.set(GAME, game.number());
    }

    #[inline]
    fn set_cooked(&mut self, cooked: bool) {
        set_bit(self, COOKED, cooked);
    }

    #[inline]
    fn set_filter_editor_only(&mut self, filter: bool) {
        set_bit(self, FILTER_EDITOR_ONLY, filter);
    }

    #[inline]
    fn set_unversioned_properties(&mut self, unversioned: bool) {
        set_bit(self, UNVERSIONED_PROPERTIES, unversioned);
    }
}

fn set_bit(versions: &mut Versions, bit: u32, is_set: bool) {
    let others = versions.get(STORED) & !bit;
    versions.set(STORED, if is_set { others | bit } else { others });
}
