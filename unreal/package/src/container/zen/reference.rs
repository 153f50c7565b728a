//! References of a zen package's objects.

use crate::Archived;

/// A reference: two bits say its kind, 62 bits which one. All ones: nothing.
///
/// Spec: ue4-5/12 §1. C++: `FPackageObjectIndex`.
#[derive(Archived, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ZenReference {
    /// As it is stored.
    pub stored: u64,
}

/// The target of a [`ZenReference`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ZenTarget {
    /// Row of the export table.
    Export(u64),
    /// An object of a script package, by [`super::hash::of_script_object`].
    Script(u64),
    /// An object of another package.
    Package {
        /// Row of the imported packages.
        package: u32,
        /// Row of the imported objects' hashes.
        hash: u32,
    },
    /// Nothing.
    Null,
}

impl ZenReference {
    /// To nothing.
    pub const NULL: Self = Self { stored: u64::MAX };

    /// The 62 bits that say which one.
    pub fn hash(self) -> u64 {
        self.stored & !(3 << 62)
    }

    /// To an object of another package in UE4, by [`super::hash::of_script_object`] of its whole path.
    pub fn of_path(hash: u64) -> Self {
        Self { stored: hash & !(3 << 62) | 2 << 62 }
    }

    /// Its target; in UE4 the [`hash`](Self::hash) alone names an object of another package.
    pub fn target(self) -> ZenTarget {
        let value = self.hash();
        match self.stored >> 62 {
            0 => ZenTarget::Export(value),
            1 => ZenTarget::Script(value),
            2 => ZenTarget::Package { package: (value >> 32) as u32, hash: value as u32 },
            _ => ZenTarget::Null,
        }
    }
}

impl From<ZenTarget> for ZenReference {
    fn from(target: ZenTarget) -> Self {
        let value = |value: u64| value & !(3 << 62);
        let stored = match target {
            ZenTarget::Export(row) => value(row),
            ZenTarget::Script(hash) => value(hash) | 1 << 62,
            ZenTarget::Package { package, hash } => {
                value(u64::from(package) << 32 | u64::from(hash)) | 2 << 62
            }
            ZenTarget::Null => u64::MAX,
        };
        Self { stored }
    }
}

impl Default for ZenReference {
    fn default() -> Self {
        Self::NULL
    }
}
