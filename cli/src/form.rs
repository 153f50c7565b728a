//! What a file is, and which names contradict it.

use std::path::Path;

use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Engine, Versions};

use crate::failure::Failure;

/// The form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A package of UE1 or UE2.
    Ue1And2,
    /// A package of UE3.
    Ue3,
    /// A package of UE4 or UE5.
    Ue4And5,
    /// JSON.
    Json,
    /// A `.uz` file.
    Uz,
    /// A `.uz2` file.
    Uz2,
    /// A `.uz3` file.
    Uz3,
    /// Source text.
    Source,
    /// What it is the data says: no extension is wrong.
    Any,
}

/// Extensions that say what a file is, with the forms that may bear them.
const EXTENSIONS: &[(&[&str], &[Form], &str)] = &[
    (
        &[
            "u", "unr", "utx", "uax", "umx", "usx", "ukx", "ut2", "ut3", "upk", "udk", "pcc",
            "sfm", "xxx", "uxx",
        ],
        &[Form::Ue1And2, Form::Ue3],
        "packages of UE1 to UE3",
    ),
    (&["uasset"], &[Form::Ue4And5], "packages of UE4 and UE5"),
    // Games of UE3 call their maps so, too.
    (&["umap"], &[Form::Ue3, Form::Ue4And5], "packages of UE3 to UE5"),
    (&["uexp"], &[], "bodies, which are written beside their .uasset or .umap file"),
    (&["ubulk", "uptnl", "upayload"], &[], "bulk data"),
    (&["usmap"], &[], "mappings"),
    (&["json"], &[Form::Json], "JSON"),
    (
        &["pak", "utoc", "ucas"],
        &[],
        "containers (`upk pack FOLDER`, or a patch for a package in one)",
    ),
    (&["uz"], &[Form::Uz], "redirect files of UE1 (`upk pack --as uz`)"),
    (&["uz2"], &[Form::Uz2], "redirect files of UE2 (`upk pack --as uz2`)"),
    (&["uz3"], &[Form::Uz3], "redirect files of UE3 (`upk pack --as uz3`)"),
    (&["h", "hpp", "rs", "uc"], &[Form::Source], "source text"),
    (&["png", "bmp", "wav", "csv", "txt"], &[], "content"),
];

impl Form {
    /// The form of a package.
    pub fn of(package: &Package) -> Self {
        Self::of_versions(package.versions())
    }

    /// The form of packages of these versions.
    pub fn of_versions(versions: &Versions) -> Self {
        match versions.engine() {
            Engine::Ue1 | Engine::Ue2 => Self::Ue1And2,
            Engine::Ue3 => Self::Ue3,
            _ => Self::Ue4And5,
        }
    }

    /// Whether a file of this form may be called so that is made of `input`: what the game calls such a package by
    /// itself is right, whatever others call so.
    pub fn check_like(self, path: &Path, input: &Path) -> Result<(), Failure> {
        let same = || Some(path.extension()?.eq_ignore_ascii_case(input.extension()?));
        let is_package = matches!(self, Self::Ue1And2 | Self::Ue3 | Self::Ue4And5);
        if is_package && same() == Some(true) { Ok(()) } else { self.check(path) }
    }

    /// Whether a file of this form may be called so.
    pub fn check(self, path: &Path) -> Result<(), Failure> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let contradicts = |(extensions, forms, _): &&(&[&str], &[Self], &str)| {
            extensions.contains(&extension.as_str()) && !forms.contains(&self)
        };
        let Some((_, _, what)) = EXTENSIONS.iter().find(contradicts).filter(|_| self != Self::Any)
        else {
            return Ok(());
        };
        let (path, own) = (path.display(), self.describe());
        Err(Failure::usage(format!(
            "'{path}': .{extension} files are {what}, this would be {own}\n  \
             next: give it the extension of what it is"
        )))
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Ue4And5 => "a package of UE4 or UE5",
            Self::Ue1And2 => "a package of UE1 or UE2",
            Self::Ue3 => "a package of UE3",
            Self::Json => "JSON",
            Self::Uz => "a .uz file",
            Self::Uz2 => "a .uz2 file",
            Self::Uz3 => "a .uz3 file",
            Self::Source => "source text",
            Self::Any => "something else",
        }
    }
}
