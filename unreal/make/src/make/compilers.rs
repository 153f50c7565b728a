//! The compilers whose packages are made: the versions of a game, and the habits of its `make`.

use std::str::FromStr;

use crate::compile::CompilerDialect;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::generate::Profile;
use crate::version::{Game, UnrealVersions, Versions};

/// A game's compiler.
///
/// | name | versions | literals and parentheses | values |
/// |---|---|---|---|
/// | `unreal` | 61 | as written | not if zero |
/// | `ut436` | 69 | as written | not if zero |
/// | `ut469` | 69 | take the operator's type | every element of own variables |
/// | `deusex` | 68 | as written | not if zero |
/// | `ut2003` | 121/29 | as written | not if zero |
/// | `ut2004` | 128/29 | as written | not if zero |
/// | `udk` | 868 | as written | not if zero |
///
/// Spec: ue1-3/15 §15.13, 16 §16.8.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GameCompiler {
    /// The short name that the command line takes.
    pub slug: &'static str,
    /// The form of its packages.
    pub profile: Profile,
    /// Whether it is that of UT's patch 469.
    pub is_patch_469: bool,
}

impl GameCompiler {
    /// Every compiler.
    pub fn all() -> Vec<Self> {
        let of = |slug, profile| Self { slug, profile, is_patch_469: false };
        let mut ut2003 = Profile::UT2004;
        ut2003.title = "Unreal Tournament 2003";
        ut2003.file_version = (121, 29);
        ut2003.game = Game::Mainline;
        vec![
            of("unreal", Profile::UNREAL),
            of("ut436", Profile::UT99),
            Self { is_patch_469: true, ..of("ut469", Profile::UT99) },
            of("deusex", Profile::DEUS_EX),
            of("ut2003", ut2003),
            of("ut2004", Profile::UT2004),
            of("udk", Profile::UDK),
        ]
    }

    /// The compiler of the packages of these versions: the one whose versions are close; `None` for UE4 and UE5.
    pub fn of_versions(versions: &Versions) -> Option<Self> {
        let all = Self::all();
        let close = |it: &&Self| {
            let own = it.profile.versions();
            own.engine() == versions.engine() && own.file().abs_diff(versions.file()) < 10
        };
        let of_engine = |it: &&Self| it.profile.versions().engine() == versions.engine();
        let found = all.iter().find(close).or_else(|| all.iter().rev().find(of_engine))?;
        let mut compiler = found.clone();
        compiler.profile.file_version = (versions.file(), versions.licensee());
        compiler.profile.game = versions.game();
        Some(compiler)
    }

    /// How it compiles code.
    pub fn dialect(&self) -> CompilerDialect {
        match self.is_patch_469 {
            true => CompilerDialect::patch_469(&self.profile.versions()),
            false => CompilerDialect::of(&self.profile.versions()),
        }
    }
}

impl FromStr for GameCompiler {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = Self::all();
        let known: Vec<_> = all.iter().map(|it| it.slug).collect();
        let hint = format!("; known are {}", known.join(", "));
        all.into_iter().find(|it| it.slug.eq_ignore_ascii_case(text)).ok_or_else(|| {
            ErrorKind::NotFound { what: noun::PROFILE, name: text.to_owned(), hint }.into()
        })
    }
}
