//! Classes of UE4 and UE5.

pub mod class_defaults;
pub mod field;
pub mod structure;

use super::registry::object;
use super::{Facts, Maker, Native};
use crate::Versions;
use crate::archive::Span;
use crate::version::custom::{self, core};

/// What makes the native part of objects of this class; `None` where the name says nothing.
pub fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    const STRUCTURES: &[&str] = &[
        "AnimBlueprintGeneratedClass",
        "BlueprintGeneratedClass",
        "Class",
        "DelegateFunction",
        "Function",
        "ScriptStruct",
        "SparseDelegateFunction",
        "UserDefinedStruct",
        "WidgetBlueprintGeneratedClass",
    ];
    let is = |known: &&str| known.eq_ignore_ascii_case(class);
    // Before, properties are objects of their own.
    if STRUCTURES.iter().any(is) && versions.custom(&custom::CORE) >= core::PROPERTIES {
        return Some(object::<structure::Structure>);
    }
    None
}

/// The native part of a class that nobody has described yet.
pub fn opaque(_: &Facts<'_>) -> Native {
    Native::Opaque(Span::default())
}

/// Classes and what they derive from, where their bodies are their parents'.
pub const PARENTS: &[&[(&str, &str)]] = &[];
