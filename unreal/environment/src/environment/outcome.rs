//! Outcomes of resolving imports and soft references.

use std::fmt;

/// The outcome of resolving an import.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "outcome", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Outcome {
    /// The package or object is there.
    Found {
        /// Row of the export table; `None` for a package.
        row: Option<usize>,
    },
    /// A redirector stands there and leads to the right one (UE3 and later).
    Redirected {
        /// Row of the redirector.
        row: usize,
        /// The object that it leads to; empty when its body does not say.
        to: String,
    },
    /// A redirector stands there, and what it leads to is not there or of another class.
    RedirectorBroken {
        /// Row of the redirector.
        row: usize,
        /// The object that it leads to.
        to: String,
    },
    /// Another, cooked package carries a copy of the object (UE3).
    Carried {
        /// The package that carries it.
        by: String,
        /// Row of its export table; `None` for a package.
        row: Option<usize>,
    },
    /// The engine's code has it; there is no file.
    Native,
    /// It lies below a root whose content is not at hand, `/Engine/` or a plugin's (UE4 and UE5): nothing is known of it.
    Elsewhere {
        /// The root, without its slashes.
        root: String,
    },
    /// There is no file of this name.
    PackageMissing,
    /// There is a file, but it can't be opened.
    PackageUnreadable {
        /// Why not.
        reason: String,
    },
    /// The package has no such object, and need not have it: the editor makes it whenever it loads the package, or an
    /// edit has taken it away that only what the editor keeps for itself still refers to (UE4 and UE5).
    OfTheEditor,
    /// The package has no such object.
    ObjectMissing {
        /// Paths of objects that may be meant.
        near: Vec<String>,
    },
    /// The object is there, but of another class: an engine does not take it.
    ClassDiffers {
        /// The class that it has.
        found: String,
        /// Row of the export table.
        row: usize,
    },
    /// The object is there, but other packages may not use it.
    NotPublic {
        /// Row of the export table.
        row: usize,
    },
}

/// How a package refers to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Dependency {
    /// It imports an object: that is loaded with it.
    Hard,
    /// It holds a path: that is loaded when it is asked for (UE4 and UE5).
    Soft,
}

impl Dependency {
    /// The word for people and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hard => "hard",
            Self::Soft => "soft",
        }
    }
}

/// One import or soft reference and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Resolution {
    /// Whether it is an import or a soft reference.
    pub kind: Dependency,
    /// Row of the import table; of a soft reference its number among them.
    pub import: usize,
    /// The path, its package first.
    pub path: String,
    /// The class that is asked for, with its package; empty for soft references.
    pub class: String,
    /// The package that it lies in.
    pub package: String,
    /// UE5: the package loads without it.
    pub optional: bool,
    /// The outcome.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub outcome: Outcome,
}

impl Resolution {
    /// Whether an engine finds it or does without it.
    pub fn is_fine(&self) -> bool {
        self.optional || self.outcome.is_fine()
    }
}

impl Outcome {
    /// Whether an engine finds it, as far as that can be told.
    pub fn is_fine(&self) -> bool {
        matches!(
            self,
            Self::Found { .. }
                | Self::Redirected { .. }
                | Self::Carried { .. }
                | Self::Native
                | Self::Elsewhere { .. }
                | Self::OfTheEditor
        )
    }

    /// The word for people and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Found { .. } => "found",
            Self::Redirected { .. } => "redirected",
            Self::RedirectorBroken { .. } => "redirector broken",
            Self::Carried { .. } => "carried",
            Self::Native => "native",
            Self::Elsewhere { .. } => "elsewhere",
            Self::OfTheEditor => "of the editor",
            Self::PackageMissing => "package missing",
            Self::PackageUnreadable { .. } => "package unreadable",
            Self::ObjectMissing { .. } => "object missing",
            Self::ClassDiffers { .. } => "class differs",
            Self::NotPublic { .. } => "not public",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Carried { by, .. } => write!(f, " by {by}"),
            Self::Elsewhere { root } => write!(f, ": the content of /{root}/ is not here"),
            Self::Redirected { to, .. } if !to.is_empty() => write!(f, " to {to}"),
            Self::RedirectorBroken { to, .. } => {
                write!(f, ": it leads to {to}, which is not there")
            }
            Self::PackageUnreadable { reason } => write!(f, ": {reason}"),
            Self::ObjectMissing { near } if !near.is_empty() => {
                write!(f, "; did you mean {}?", near.join(", "))
            }
            Self::ClassDiffers { found, .. } => write!(f, ": it is a {found}"),
            _ => Ok(()),
        }
    }
}
