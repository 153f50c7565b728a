//! Profiles: the form of a game's packages, for making new ones.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, noun};
use crate::primitive::PackageFlags;
use crate::version::{Game, UnrealVersions, Versions};

/// The versions and habits of a game's packages.
///
/// | profile | file version | licensee | source |
/// |---|---|---|---|
/// | `unreal` | 61 | 0 | what every release of the game reads (inferred) |
/// | `ut99` | 69 | 0 | packages of patch 436 and 469 |
/// | `deusex` | 68 | 0 | its own packages |
/// | `ut2004` | 128 | 29 | its own packages |
/// | `udk` | 868 | 0 | packages of 2013 and later |
///
/// Spec: ue1-3/02 §2.5, 07 §7.6.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The short name that the command line takes.
    pub slug: &'static str,
    /// The game.
    pub title: &'static str,
    /// File and licensee version.
    pub file_version: (u32, u32),
    /// The game whose layouts it follows.
    pub game: Game,
    /// The package flags of a new package.
    pub flags: PackageFlags,
    /// UE3: the version of the engine that saved the package.
    pub engine_version: i32,
}

/// A profile of Epic's own byte order and flags.
const fn profile(
    slug: &'static str,
    title: &'static str,
    file_version: (u32, u32),
    game: Game,
    engine_version: i32,
) -> Profile {
    let flags = PackageFlags::ALLOW_DOWNLOAD;
    Profile { slug, title, file_version, game, flags, engine_version }
}

impl Profile {
    /// Unreal, all releases.
    pub const UNREAL: Self = profile("unreal", "Unreal", (61, 0), Game::Mainline, 0);
    /// Unreal Tournament.
    pub const UT99: Self = profile("ut99", "Unreal Tournament", (69, 0), Game::Mainline, 0);
    /// Deus Ex.
    pub const DEUS_EX: Self = profile("deusex", "Deus Ex", (68, 0), Game::Mainline, 0);
    /// Unreal Tournament 2004.
    pub const UT2004: Self =
        profile("ut2004", "Unreal Tournament 2004", (128, 29), Game::Ut2004, 0);
    /// The Unreal Development Kit.
    pub const UDK: Self = profile("udk", "Unreal Development Kit", (868, 0), Game::Mainline, 12097);

    /// Every profile.
    pub const ALL: &'static [Self] =
        &[Self::UNREAL, Self::UT99, Self::DEUS_EX, Self::UT2004, Self::UDK];

    /// Versions, byte order and layout.
    pub fn versions(&self) -> Versions {
        let (file, licensee) = self.file_version;
        Versions::ue1_to_3(file, licensee).with_game(self.game)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.title, self.versions())
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().find(|one| one.slug.eq_ignore_ascii_case(text));
        found.cloned().ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|one| one.slug).collect();
            let hint = format!("; known are {}", known.join(", "));
            ErrorKind::NotFound { what: noun::PROFILE, name: text.to_owned(), hint }.into()
        })
    }
}
