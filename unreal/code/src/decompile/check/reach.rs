//! References of tokens: to an object of the right class, and within reach of the code.

use super::signature::is_structure;
use crate::decompile::scripts::Scripts;
use crate::object::ue4::structure::function::Function;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::script::{ScriptExpression, ScriptItem};

/// The flag of functions that need no object.
const STATIC: u32 = 0x2000;

/// The objects that code can reach by itself.
pub(super) struct Reach<'a> {
    scripts: &'a Scripts,
    /// The function, state or class.
    code_of: PackageIndex,
    /// Its class or state, the class around a state, and what they derive from, as far as the package has them.
    classes: Vec<PackageIndex>,
}

/// How the classes end of what a token refers to.
fn wanted(token: &str) -> Option<&'static str> {
    Some(match token {
        "BoolVariable" => return None,
        "StructMember" | "StructMemberContext" | "LetValueOnPersistentFrame" => "Property",
        "FinalFunction" | "LocalFinalFunction" | "CallMath" => "Function",
        "DynamicCast" | "MetaCast" | "InterfaceCast" | "ObjToInterfaceCast"
        | "CrossInterfaceCast" | "InterfaceToObjCast" => "Class",
        "StructConst" | "StructCmpEq" | "StructCmpNe" => "Struct",
        name if name.ends_with("Variable") => "Property",
        _ => return None,
    })
}

/// Whether a token means a variable of the function that it stands in.
fn is_local(token: &str) -> bool {
    token == "OutVariable" || token.starts_with("Local") && token.ends_with("Variable")
}

impl<'a> Reach<'a> {
    /// That of an object with code, which stands in this class or state.
    pub fn new(scripts: &'a Scripts, code_of: PackageIndex, class: PackageIndex) -> Self {
        let around = [class, scripts.package.outer(class)];
        let classes = around.into_iter().flat_map(|it| scripts.package.ancestors(it)).collect();
        Self { scripts, code_of, classes }
    }

    /// The fault of a token's reference; `is_own` where no other object is asked for it.
    pub fn fault(&self, whole: &ScriptExpression, is_own: bool) -> Option<String> {
        let wanted = wanted(whole.name)?;
        let referred = whole.items().find_map(|item| match item {
            ScriptItem::Object(index) => Some((*index, None)),
            ScriptItem::Property(property) => Some((property.owner, property.path.split_first())),
            _ => None,
        });
        let (index, path) = referred?;
        let scripts = self.scripts;
        let token = whole.name;
        let (owner, name) = match path {
            Some((name, outer)) => {
                let text = scripts.text(*name);
                if outer.is_empty() && is_structure(scripts, index) {
                    let all = scripts.variables_of(index);
                    if all.class_of(&text).is_none() {
                        let of = scripts.name(index);
                        return Some(format!(
                            "{token} refers to '{text}', which {of} does not declare"
                        ));
                    }
                }
                (index, text)
            }
            None if index.is_null() => return Some(format!("{token} refers to nothing")),
            None => {
                let (class, text) = (scripts.class_name(index), scripts.name(index));
                // Imports of zen packages do not say their classes.
                if class == "Object" && matches!(index.target(), ObjectRef::Import(_)) {
                    return None;
                }
                let start = class.len().checked_sub(wanted.len());
                let end = start.and_then(|start| class.get(start..));
                if !end.is_some_and(|end| end.eq_ignore_ascii_case(wanted)) {
                    return Some(format!("{token} refers to {text}, a {class} and no {wanted}"));
                }
                (scripts.package.outer(index), text)
            }
        };
        let is_wrong = match token {
            _ if is_local(token) => owner != self.code_of,
            _ if !is_own => false,
            "DefaultVariable" | "ClassSparseDataVariable" => self.is_foreign(owner),
            "FinalFunction" | "LocalFinalFunction" => {
                self.is_foreign(owner) && !self.is_static(index)
            }
            _ if token.starts_with("Instance") => self.is_foreign(owner),
            _ => false,
        };
        is_wrong.then(|| {
            let (of, own) = (scripts.name(owner), scripts.name(self.code_of));
            format!("{token} refers to {name} of {of}, which {own} does not have")
        })
    }

    /// Whether it is of this package and nothing that the code's class is or derives from.
    fn is_foreign(&self, owner: PackageIndex) -> bool {
        matches!(owner.target(), ObjectRef::Export(_)) && !self.classes.contains(&owner)
    }

    fn is_static(&self, function: PackageIndex) -> bool {
        let of_kismet = || Some(self.scripts.typed::<Function>(function)?.function_flags);
        let flags = self.scripts.function(function).map(|it| it.function_flags);
        // Of one that was not decoded nothing is known.
        flags.or_else(of_kismet).is_none_or(|flags| flags & STATIC != 0)
    }
}
