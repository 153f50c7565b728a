//! `.upkg` files: the flags that a code package is built with.

use std::path::Path;

use super::Ini;
use crate::error::{Error, Result};
use crate::primitive::PackageFlags;
use crate::version::Engine;

/// The section of a definition.
const SECTION: &str = "Flags";

/// The `.upkg` file of a package.
///
/// | key | default | flag |
/// |---|---|---|
/// | `AllowDownload` | True | 0x1 |
/// | `ClientOptional` | False | 0x2 |
/// | `ServerSideOnly` | False | 0x4 |
/// | `Official` | False | 0x20, UE2 |
///
/// Spec: ue1-3/08 §8.2, §8.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Clients may download it.
    pub allow_download: bool,
    /// Clients may do without it.
    pub client_optional: bool,
    /// Only servers need it.
    pub server_side_only: bool,
    /// Made by the game's own people; `None` where the key is absent, as in UE1.
    pub official: Option<bool>,
}

impl Default for Definition {
    fn default() -> Self {
        Self {
            allow_download: true,
            client_optional: false,
            server_side_only: false,
            official: None,
        }
    }
}

impl Definition {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// `Io`; `Invalid` for a value that is neither true nor false.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::from_ini(&Ini::open(path)?)
    }

    /// Reads the keys of an ini file; absent ones have their defaults.
    ///
    /// # Errors
    /// `Invalid` for a value that is neither true nor false.
    pub fn from_ini(ini: &Ini) -> Result<Self> {
        let flag = |key: &str| ini.get(SECTION, key).map(|value| truth(key, value)).transpose();
        let default = Self::default();
        Ok(Self {
            allow_download: flag("AllowDownload")?.unwrap_or(default.allow_download),
            client_optional: flag("ClientOptional")?.unwrap_or(default.client_optional),
            server_side_only: flag("ServerSideOnly")?.unwrap_or(default.server_side_only),
            official: flag("Official")?,
        })
    }

    /// The definition that leads to these flags.
    pub fn of_flags(flags: PackageFlags, engine: Engine) -> Self {
        let has = |bit: u32| flags.contains(PackageFlags(bit));
        let official =
            PackageFlags::parse("Official", engine).ok().map(|flag| flags.contains(flag));
        Self {
            allow_download: has(ALLOW_DOWNLOAD),
            client_optional: has(CLIENT_OPTIONAL),
            server_side_only: has(SERVER_SIDE_ONLY),
            official,
        }
    }

    /// Notes this definition in an ini file, whose other lines stay.
    pub fn write_to(&self, ini: &mut Ini) {
        let text = |value: bool| if value { "True" } else { "False" };
        ini.set(SECTION, "AllowDownload", text(self.allow_download));
        ini.set(SECTION, "ClientOptional", text(self.client_optional));
        ini.set(SECTION, "ServerSideOnly", text(self.server_side_only));
        match self.official {
            Some(official) => ini.set(SECTION, "Official", text(official)),
            None => drop(ini.remove(SECTION, "Official", None)),
        }
    }

    /// The file as its own text.
    pub fn to_ini(&self) -> Ini {
        let mut ini = Ini::default();
        self.write_to(&mut ini);
        ini
    }

    /// `flags` as a package built with this definition has them; the other flags stay.
    pub fn apply(&self, flags: PackageFlags) -> PackageFlags {
        let mut bits = vec![
            (ALLOW_DOWNLOAD, self.allow_download),
            (CLIENT_OPTIONAL, self.client_optional),
            (SERVER_SIDE_ONLY, self.server_side_only),
        ];
        bits.extend(self.official.map(|official| (OFFICIAL, official)));
        bits.into_iter().fold(flags, |flags, (bit, set)| match set {
            true => flags.with(PackageFlags(bit)),
            false => flags.without(PackageFlags(bit)),
        })
    }
}

pub(super) const ALLOW_DOWNLOAD: u32 = 0x1;
const CLIENT_OPTIONAL: u32 = 0x2;
pub(super) const SERVER_SIDE_ONLY: u32 = 0x4;
const OFFICIAL: u32 = 0x20;

fn truth(key: &str, value: &str) -> Result<bool> {
    let any = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(value));
    if any(&["true", "1", "yes", "on"]) {
        return Ok(true);
    }
    if any(&["false", "0", "no", "off", ""]) {
        return Ok(false);
    }
    let reason = format!("{key} is '{value}'; True or False is needed");
    Err(Error::invalid(reason))
}
