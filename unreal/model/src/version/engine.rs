//! Engine generations.

use std::fmt;

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

impl Engine {
    /// The row of such a table for this engine: rows name the last engine that they are for, oldest first.
    #[doc(hidden)]
    pub fn row_of<T: Copy>(self, table: &[(Self, T)]) -> Option<T> {
        table.iter().find(|(last, _)| self <= *last).map(|(_, row)| *row)
    }

    /// Whether it is known where properties lie in memory: in the engines with 32-bit programs.
    #[inline]
    pub fn has_memory_layouts(self) -> bool {
        self <= Self::Ue3
    }

    /// Bytes of a name, a delegate and a map in the memory of 32-bit programs.
    #[inline]
    pub fn sizes_in_memory(self) -> (u32, u32, u32) {
        if self <= Self::Ue2 { (4, 8, 20) } else { (8, 12, 60) }
    }

    /// Whether arrays and strings in native classes are left alone by constructors, since the engine clears
    /// objects before: `TArrayNoInit` instead of `TArray` (spec: ue1-3/13 §13.3).
    #[doc(hidden)]
    #[inline]
    pub fn clears_arrays_itself(self) -> bool {
        self >= Self::Ue2
    }

    /// The condition under which the headers of native classes pack structs (spec: ue1-3/13 §13.2, §13.6).
    #[doc(hidden)]
    #[inline]
    pub fn packing_condition(self) -> &'static str {
        if self >= Self::Ue2 { "SUPPORTS_PRAGMA_PACK" } else { "_MSC_VER" }
    }

    /// Whether the headers of native classes name the class that objects lie in (spec: ue1-3/13 §13.3).
    #[doc(hidden)]
    #[inline]
    pub fn declares_outer_classes(self) -> bool {
        self >= Self::Ue2
    }

    /// Whether packages of this engine and of `other` know the same classes: a project of UE5 has packages
    /// that UE4 has saved.
    #[inline]
    pub fn shares_classes(self, other: Self) -> bool {
        self == other || self.min(other) >= Self::Ue4
    }
}
