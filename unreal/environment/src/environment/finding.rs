//! Findings: the faults that a folder of packages can have.

use std::path::PathBuf;

use super::{CacheState, DoctorRule};
use crate::Guid;

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "finding", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Finding {
    /// A file can't be opened.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Packages import from one that is not there.
    PackageMissing {
        /// The package.
        package: String,
        /// Packages that need it, the first of them.
        needed_by: Vec<String>,
        /// How many there are.
        count: u64,
    },
    /// A package imports an object that is not there.
    ObjectMissing {
        /// The package that imports.
        package: String,
        /// The object.
        object: String,
        /// Its class.
        class: String,
        /// Objects that may be meant.
        near: Vec<String>,
    },
    /// A package imports an object as one of another class.
    ClassDiffers {
        /// The package that imports.
        package: String,
        /// The object.
        object: String,
        /// The class that is asked for.
        class: String,
        /// The class that it has.
        found: String,
    },
    /// A package imports an object that only its own package may use.
    NotPublic {
        /// The package that imports.
        package: String,
        /// The object.
        object: String,
    },
    /// A package imports an object in whose place a redirector stands that leads nowhere.
    RedirectorBroken {
        /// The package that imports.
        package: String,
        /// The object.
        object: String,
        /// The target of the redirector.
        to: String,
    },
    /// Packages refer softly to one that is not there (UE4 and UE5): they load, and what they ask for later
    /// fails.
    SoftPackageMissing {
        /// The package.
        package: String,
        /// Packages that refer to it, the first of them.
        needed_by: Vec<String>,
        /// How many there are.
        count: u64,
    },
    /// A package refers softly to an object that is not there.
    SoftObjectMissing {
        /// The package that refers to it.
        package: String,
        /// The object.
        object: String,
    },
    /// Several files have one base name: only the first is ever found.
    SameName {
        /// The name.
        name: String,
        /// The files in the order of search.
        paths: Vec<PathBuf>,
    },
    /// Code packages need one another in a circle: none can be built first.
    Circle {
        /// The packages.
        packages: Vec<String>,
    },
    /// A code package is built before one that it needs, or without it.
    BuildOrder {
        /// The package.
        package: String,
        /// The package that it needs.
        needs: String,
        /// Whether the list has what it needs at all.
        listed: bool,
    },
    /// Files with one GUID hold different bytes: server and client take one for the other.
    SameGuid {
        /// The GUID.
        guid: Guid,
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// A package that clients need uses one that only servers have.
    ServerSideOnly {
        /// The package; `ServerPackages` for the list of what servers send.
        package: String,
        /// The package with the flag.
        needs: String,
    },
    /// A package has native classes, and the folder, which has the library of `Core`, has none for it.
    LibraryMissing {
        /// The package.
        package: String,
        /// The folder.
        folder: PathBuf,
    },
    /// Nothing leads to a package (UE4 and UE5): no map, no text of the project, and no package that one of these
    /// leads to.
    Unused {
        /// The package.
        package: String,
        /// Size of its file, bytes.
        bytes: u64,
    },
    /// A file of the cache is not as it should be.
    Cache {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[cfg_attr(feature = "serde", serde(flatten))]
        state: CacheState,
    },
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Something may go wrong.
    Warning,
    /// Something is wrong.
    Error,
}

impl Severity {
    /// The word for scripts, the same as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl std::str::FromStr for Severity {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Self> {
        let all = [Self::Note, Self::Warning, Self::Error];
        all.into_iter().find(|known| known.word() == text).ok_or_else(|| {
            crate::Error::invalid(format!("'{text}' is none of note, warning, error"))
        })
    }
}

impl Finding {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        DoctorRule::of(self.word()).map_or(Severity::Error, |rule| rule.severity)
    }

    /// The package that shows it, as others call it: of one that is missing the first that needs it.
    pub fn package(&self) -> Option<&str> {
        match self {
            Self::PackageMissing { needed_by, .. } | Self::SoftPackageMissing { needed_by, .. } => {
                needed_by.first().map(String::as_str)
            }
            Self::ObjectMissing { package, .. }
            | Self::ClassDiffers { package, .. }
            | Self::NotPublic { package, .. }
            | Self::RedirectorBroken { package, .. }
            | Self::SoftObjectMissing { package, .. }
            | Self::BuildOrder { package, .. }
            | Self::LibraryMissing { package, .. }
            | Self::Unused { package, .. }
            | Self::ServerSideOnly { package, .. } => Some(package),
            Self::Circle { packages } => packages.first().map(String::as_str),
            Self::SameName { name, .. } => Some(name),
            Self::Unreadable { .. } | Self::SameGuid { .. } | Self::Cache { .. } => None,
        }
    }

    /// The object or package that it is about.
    pub fn object(&self) -> Option<&str> {
        match self {
            Self::PackageMissing { package, .. }
            | Self::SoftPackageMissing { package, .. }
            | Self::Unused { package, .. } => Some(package),
            Self::ObjectMissing { object, .. }
            | Self::ClassDiffers { object, .. }
            | Self::NotPublic { object, .. }
            | Self::RedirectorBroken { object, .. }
            | Self::SoftObjectMissing { object, .. } => Some(object),
            Self::BuildOrder { needs, .. } | Self::ServerSideOnly { needs, .. } => Some(needs),
            Self::SameName { name, .. } => Some(name),
            Self::Unreadable { .. }
            | Self::Circle { .. }
            | Self::SameGuid { .. }
            | Self::LibraryMissing { .. }
            | Self::Cache { .. } => None,
        }
    }

    /// The word for scripts, the same as in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "unreadable",
            Self::PackageMissing { .. } => "package-missing",
            Self::ObjectMissing { .. } => "object-missing",
            Self::ClassDiffers { .. } => "class-differs",
            Self::NotPublic { .. } => "not-public",
            Self::RedirectorBroken { .. } => "redirector-broken",
            Self::SoftPackageMissing { .. } => "soft-package-missing",
            Self::SoftObjectMissing { .. } => "soft-object-missing",
            Self::SameName { .. } => "same-name",
            Self::Circle { .. } => "circle",
            Self::BuildOrder { .. } => "build-order",
            Self::SameGuid { .. } => "same-guid",
            Self::ServerSideOnly { .. } => "server-side-only",
            Self::LibraryMissing { .. } => "library-missing",
            Self::Unused { .. } => "unused",
            Self::Cache { .. } => "cache",
        }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |paths: &[PathBuf]| {
            paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Unreadable { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::PackageMissing { package, needed_by, count }
            | Self::SoftPackageMissing { package, needed_by, count } => {
                let how = match self {
                    Self::PackageMissing { .. } => "needed",
                    _ => "referred to",
                };
                write!(f, "{package} is not there; {how} by {}", needed_by.join(", "))?;
                match count.saturating_sub(needed_by.len() as u64) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::ObjectMissing { package, object, class, near } => {
                write!(f, "{package} imports {object} ({class}), which is not there")?;
                match near.is_empty() {
                    true => Ok(()),
                    false => write!(f, "; did you mean {}?", near.join(", ")),
                }
            }
            Self::ClassDiffers { package, object, class, found } => {
                write!(f, "{package} imports {object} as {class}, but it is a {found}")
            }
            Self::NotPublic { package, object } => {
                write!(f, "{package} imports {object}, which is not public")
            }
            Self::RedirectorBroken { package, object, to } => {
                write!(f, "{package} imports {object}, a redirector to {to}, which is not there")
            }
            Self::SoftObjectMissing { package, object } => {
                write!(f, "{package} refers to {object}, which is not there")
            }
            Self::SameName { name, paths } => {
                write!(
                    f,
                    "{name} is the name of several files; the first is found: {}",
                    list(paths)
                )
            }
            Self::Circle { packages } => {
                write!(f, "code packages need one another in a circle: {}", packages.join(", "))
            }
            Self::BuildOrder { package, needs, listed: true } => {
                write!(f, "EditPackages has {package} before {needs}, which it needs")
            }
            Self::BuildOrder { package, needs, listed: false } => {
                write!(f, "EditPackages has {package}, but not {needs}, which it needs")
            }
            Self::SameGuid { guid, paths } => {
                write!(f, "different files have the GUID {guid}: {}", list(paths))
            }
            Self::ServerSideOnly { package, needs } => {
                write!(f, "{package} goes to clients and needs {needs}, which is ServerSideOnly")
            }
            Self::LibraryMissing { package, folder } => {
                let folder = folder.display();
                write!(f, "{package} has native classes, and {folder} has no library for it")
            }
            Self::Unused { package, bytes } => {
                write!(f, "nothing leads to {package} ({bytes} bytes)")
            }
            Self::Cache { path, state } => write!(f, "{}: {}", path.display(), state.describe()),
        }
    }
}
