//! Types of expressions, as far as the package says them: the class of objects, the enum of numbers.

use super::expression::{conversion_of, reference};
use super::scripts::Scripts;
use crate::object::script_object::PropertyClass;
use crate::primitive::PackageIndex;
use crate::property::EngineEnum;
use crate::script::ScriptExpression;

/// Expressions nest this deep before nothing more is asked of them.
const DEEPEST: usize = 32;

/// Where the names of numbers are.
#[derive(Debug, Clone, Copy)]
pub(super) enum NumberNames {
    /// In an enum of the package.
    Own(PackageIndex),
    /// In another package: the enum, or a property that takes its values.
    Imported(PackageIndex),
    /// In an enum of the engine.
    Engine(&'static EngineEnum),
}

/// Asks for types within a class.
#[derive(Clone, Copy)]
pub(super) struct Types<'a> {
    pub scripts: &'a Scripts,
    pub class: PackageIndex,
}

impl Types<'_> {
    /// The property that holds the value of an expression.
    fn property(&self, whole: &ScriptExpression, depth: usize) -> Option<PackageIndex> {
        if depth > DEEPEST {
            return None;
        }
        let last = || whole.expressions().next_back();
        match whole.name {
            "Context" | "ClassContext" => self.property(last()?, depth + 1),
            "BoolVariable" | "Skip" => self.property(last()?, depth + 1),
            "Conversion" | "PrimitiveCast" if conversion_of(whole) == Some(0x3a) => {
                self.property(last()?, depth + 1)
            }
            "ArrayElement" | "DynArrayElement" => {
                let array = self.property(last()?, depth + 1)?;
                match (&self.scripts.property(array)?.class, whole.name) {
                    (PropertyClass::One(inner), "DynArrayElement") => Some(*inner),
                    _ => Some(array),
                }
            }
            "FinalFunction" => self.scripts.result(reference(whole)?),
            "StructMember" => reference(whole),
            name if name.ends_with("Variable") => reference(whole),
            _ => None,
        }
    }

    /// The enum whose values a property takes.
    pub fn values_in(&self, property: PackageIndex) -> Option<NumberNames> {
        let scripts = self.scripts;
        let imported = |index| scripts.imported_values(index).map(|_| NumberNames::Imported(index));
        let Some(own) = scripts.property(property) else {
            let known = || scripts.engine_enum_in(property).map(NumberNames::Engine);
            return imported(property).or_else(known);
        };
        let PropertyClass::One(index) = own.class else { return None };
        match scripts.enumeration(index) {
            Some(_) => Some(NumberNames::Own(index)),
            None => {
                let known = || scripts.engine_enum(index).map(NumberNames::Engine);
                imported(index).or_else(known)
            }
        }
    }

    /// The enum whose values an expression has.
    pub fn values_of(&self, whole: &ScriptExpression) -> Option<NumberNames> {
        if matches!(whole.name, "Native" | "ExtendedNative") {
            return None;
        }
        self.values_in(self.property(whole, 0)?)
    }

    /// The class of the object that an expression is; null where nothing says it.
    pub fn class_of(&self, whole: &ScriptExpression) -> PackageIndex {
        let found = match whole.name {
            "Self" => Some(self.class),
            "DynamicCast" | "MetaCast" | "InterfaceCast" => reference(whole),
            "ObjectConst" => reference(whole),
            _ => self.property(whole, 0).and_then(|property| {
                match self.scripts.property(property)?.class {
                    PropertyClass::One(class) | PropertyClass::Two(_, class) => Some(class),
                    _ => None,
                }
            }),
        };
        found.unwrap_or(PackageIndex::NULL)
    }
}
