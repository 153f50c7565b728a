//! What functions take and return.

use super::kind::{ValueKind, kind_named};
use crate::decompile::expression::is_optional;
use crate::decompile::kismet::{PARAMETER as KISMET_PARAMETER, RESULT as KISMET_RESULT, variables};
use crate::decompile::scripts::Scripts;
use crate::object::ue4::structure;
use crate::primitive::PackageIndex;

/// What a function takes and returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signature {
    pub parameters: Vec<Parameter>,
    /// What it returns, where that is known.
    pub result: Option<ValueKind>,
}

/// What a function takes in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub name: String,
    /// Where it is known.
    pub kind: Option<ValueKind>,
    pub is_optional: bool,
}

impl Signature {
    /// That of a function of the package, which was decoded.
    pub fn of(scripts: &Scripts, function: PackageIndex) -> Option<Self> {
        if scripts.function(function).is_some() {
            let parameters = scripts.parameters(function).into_iter();
            let parameters = parameters.map(|(index, property)| Parameter {
                name: scripts.name(index),
                kind: kind_named(&scripts.class_name(index)),
                is_optional: is_optional(property.property_flags),
            });
            let result = scripts.result(function);
            let result = result.and_then(|index| kind_named(&scripts.class_name(index)));
            return Some(Self { parameters: parameters.collect(), result });
        }
        let is_function = scripts.class_name(function).ends_with("Function");
        if !is_function || !is_structure(scripts, function) {
            return None;
        }
        let given = variables(scripts, function).into_iter();
        let given =
            given.filter(|it| it.flags & (KISMET_PARAMETER | KISMET_RESULT) == KISMET_PARAMETER);
        let parameters = given.map(|variable| Parameter {
            kind: kind_named(&variable.class),
            name: variable.name,
            is_optional: false,
        });
        // What is returned goes through a variable of the caller.
        Some(Self { parameters: parameters.collect(), result: None })
    }
}

/// The properties of a function of UE4 and UE5 need the struct that it is.
fn is_structure(scripts: &Scripts, index: PackageIndex) -> bool {
    scripts.native_of(index).and_then(structure::of).is_some()
}
