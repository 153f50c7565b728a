//! Signatures: parameters and results of functions.

use super::kind::{ValueKind, kind_named};
use crate::decompile::expression::is_optional;
use crate::decompile::kismet::{
    OUT, PARAMETER as KISMET_PARAMETER, REFERENCE, RESULT as KISMET_RESULT,
};
use crate::decompile::scripts::Scripts;
use crate::object::ue4::structure;
use crate::primitive::PackageIndex;

/// The flag of parameters that stay as they are.
const CONSTANT: u64 = 0x2;

/// The parameters and the result of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signature {
    pub parameters: Vec<Parameter>,
    /// The result, where it is known.
    pub result: Option<ValueKind>,
    /// Whether it returns anything.
    pub returns: bool,
}

/// One parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub name: String,
    /// Where it is known.
    pub kind: Option<ValueKind>,
    pub is_optional: bool,
    /// Whether the function writes to what it is given.
    pub is_out: bool,
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
                is_out: is_written(property.property_flags),
            });
            let result = scripts.result(function);
            let returns = result.is_some();
            let result = result.and_then(|index| kind_named(&scripts.class_name(index)));
            return Some(Self { parameters: parameters.collect(), result, returns });
        }
        let is_function = scripts.class_name(function).ends_with("Function");
        if !is_function || !is_structure(scripts, function) {
            return None;
        }
        let all = scripts.variables_of(function);
        let given = all.list.iter();
        let given =
            given.filter(|it| it.flags & (KISMET_PARAMETER | KISMET_RESULT) == KISMET_PARAMETER);
        let parameters = given.map(|variable| Parameter {
            kind: kind_named(&variable.class),
            name: variable.name.clone(),
            is_optional: false,
            is_out: is_written(variable.flags),
        });
        let returns = all.list.iter().any(|it| it.flags & KISMET_RESULT != 0);
        // What is returned goes through a variable of the caller.
        Some(Self { parameters: parameters.collect(), result: None, returns })
    }
}

/// Whether a parameter with these flags is written to: not those that are references to what must stay.
fn is_written(flags: u64) -> bool {
    flags & (OUT | CONSTANT | REFERENCE) == OUT
}

/// Whether its properties are known: those of a struct of UE4 and UE5.
pub(super) fn is_structure(scripts: &Scripts, index: PackageIndex) -> bool {
    scripts.native_of(index).and_then(structure::of).is_some()
}
