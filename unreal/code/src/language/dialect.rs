//! Dialects: UnrealScript in each engine.

use crate::version::UnrealVersions;
use crate::{Engine, Versions};

/// The language of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    Ue1,
    Ue2,
    Ue3,
}

/// Flags of objects, UE3's own above the others (spec: ue1-3/12 §12.3).
const PUBLIC: u64 = 0x4;
const PRIVATE_UE2: u64 = 0x80;
const PROTECTED_UE2: u64 = 0x800;
const PROTECTED_UE3: u64 = 0x100 << 32;
/// Flags that UT2004's `automated` and UE3's components set in properties beside their own.
const AUTOMATED: u64 = 0xc400_0008;
const COMPONENT: u64 = 0x408_0008;

impl Dialect {
    pub fn of(versions: &Versions) -> Self {
        match versions.engine() {
            Engine::Ue1 => Self::Ue1,
            Engine::Ue2 => Self::Ue2,
            _ => Self::Ue3,
        }
    }

    fn is_ue3(self) -> bool {
        self == Self::Ue3
    }

    /// Whether functions say themselves how they go over the net, and the replication block lists variables alone.
    pub fn replicates_in_functions(self) -> bool {
        self.is_ue3()
    }

    /// Whether what is private is final without a word.
    pub fn private_is_final(self) -> bool {
        self.is_ue3()
    }

    /// Whether parameters may be constant, and have a value where they are left out.
    pub fn has_rich_parameters(self) -> bool {
        self.is_ue3()
    }

    /// Whether a class flag marks interfaces, and another one native classes.
    pub fn has_interfaces(self) -> bool {
        self.is_ue3()
    }

    /// Whether the type of a delegate names its function.
    pub fn names_delegates(self) -> bool {
        self.is_ue3()
    }

    /// Whether the compiler adds a last value to enums.
    pub fn closes_enums(self) -> bool {
        self.is_ue3()
    }

    /// Whether a conversion has the number that made names of strings before.
    pub fn converts_interfaces(self) -> bool {
        self.is_ue3()
    }

    /// Whether classes that lie within others call the functions of these as their own.
    pub fn calls_outer(self) -> bool {
        self.is_ue3()
    }

    /// Whether states have a mask of what they ignore.
    pub fn has_ignore_masks(self) -> bool {
        !self.is_ue3()
    }

    /// Whether classes inherit that they can be placed.
    pub fn inherits_placeable(self) -> bool {
        self != Self::Ue1
    }

    /// Whether what is localized is constant without a word.
    pub fn localized_is_const(self) -> bool {
        self != Self::Ue1
    }

    /// Who may use a variable, by the flags of its object.
    pub fn access(self, flags: u64) -> &'static str {
        match self {
            Self::Ue2 if flags & (PUBLIC | PRIVATE_UE2) == PRIVATE_UE2 => "private ",
            Self::Ue2 if flags & PROTECTED_UE2 != 0 => "protected ",
            Self::Ue3 if flags & PUBLIC == 0 => "private ",
            Self::Ue3 if flags & PROTECTED_UE3 != 0 => "protected ",
            _ => "",
        }
    }

    /// The word for several flags of a property together, and these flags.
    pub fn combined(self, flags: u64) -> (&'static str, u64) {
        match self {
            Self::Ue2 if flags & AUTOMATED == AUTOMATED => ("automated ", AUTOMATED),
            Self::Ue3 if flags & COMPONENT == COMPONENT => ("", COMPONENT),
            _ => ("", 0),
        }
    }
}
