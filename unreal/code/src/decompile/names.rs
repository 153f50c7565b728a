//! Where code says the name of a function or state, and whose it means.

use super::call::called_name;
use super::expression::reference;
use super::scripts::Scripts;
use super::types::Types;
use crate::error::Result;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, PackageIndex};
use crate::script::{ScriptExpression, ScriptItem, statements};
use crate::version::UnrealVersions;

/// Expressions nest this deep before their classes are not known any more.
const DEEPEST: usize = 200;

/// The meaning of a name in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum NameMeaning {
    /// The function of this name of a class or state; null where nothing says of which.
    Function(PackageIndex),
    /// The state of this name of a class; null likewise.
    State(PackageIndex),
    /// A value.
    Value,
}

/// A name in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub struct NameInCode {
    /// Where the token lies that it belongs to, bytes in memory.
    pub place: u32,
    pub meaning: NameMeaning,
}

/// Where the code of an object says a name.
pub(super) fn names_in(
    scripts: &Scripts,
    index: PackageIndex,
    wanted: Name,
) -> Result<Vec<NameInCode>> {
    let Some(native) = scripts.native_of(index) else { return Ok(Vec::new()) };
    let items = native.code().map_or(&[][..], |code| &code.items);
    let none = |name: &Name| scripts.some_text(*name).is_none();
    let code = statements(items, &scripts.package.versions().of_bodies(), none)?;
    let is_state = matches!(scripts.object(index), Some(ScriptObject::State(_)));
    let is_function = scripts.class_name(index).ends_with("Function");
    let own = match is_function && !is_state {
        true => scripts.package.outer(index),
        false => index,
    };
    let mut search =
        NameSearch { scripts, wanted, class: class_around(scripts, own), found: Vec::new() };
    code.iter().for_each(|statement| search.expression(statement, own, 0));
    Ok(search.found)
}

/// The class around a state, or itself.
fn class_around(scripts: &Scripts, index: PackageIndex) -> PackageIndex {
    match scripts.object(index) {
        Some(ScriptObject::State(_)) => scripts.package.outer(index),
        _ => index,
    }
}

struct NameSearch<'a> {
    scripts: &'a Scripts,
    wanted: Name,
    /// The class whose code it is.
    class: PackageIndex,
    found: Vec<NameInCode>,
}

impl NameSearch<'_> {
    /// `of` is the class or state in which functions are looked for here.
    fn expression(&mut self, whole: &ScriptExpression, of: PackageIndex, depth: usize) {
        let wanted = ScriptItem::Name(self.wanted);
        let says = |item: &ScriptItem| *item == wanted;
        if whole.items().any(says) {
            let meaning = match whole.name {
                "VirtualFunction" | "LocalVirtualFunction" | "NamedFunction" => {
                    NameMeaning::Function(of)
                }
                "GlobalFunction" => NameMeaning::Function(class_around(self.scripts, of)),
                "InstanceDelegate" | "DelegateProperty" => NameMeaning::Function(of),
                "DelegateFunction" | "BindDelegate" => NameMeaning::Function(PackageIndex::NULL),
                _ => NameMeaning::Value,
            };
            self.found.push(NameInCode { place: whole.place, meaning });
        }
        if depth > DEEPEST {
            return;
        }
        let enters_state = called_name(self.scripts, whole).is_some_and(|name| {
            ["GotoState", "IsInState", "PushState"].iter().any(|it| name.eq_ignore_ascii_case(it))
        });
        let parts: Vec<&ScriptExpression> = whole.expressions().collect();
        let is_context = matches!(whole.name, "Context" | "ClassContext" | "ContextFailSilent");
        for (at, part) in parts.iter().enumerate() {
            if enters_state && part.name == "NameConst" && part.items().any(says) {
                let class = class_around(self.scripts, of);
                let meaning = NameMeaning::State(class);
                self.found.push(NameInCode { place: part.place, meaning });
                continue;
            }
            let inner = match is_context && at > 0 {
                true => self.class_of(parts[0]),
                false => of,
            };
            self.expression(part, inner, depth + 1);
        }
    }

    /// The class of an object, or the class that a reference to one is; null where nothing says it.
    fn class_of(&self, whole: &ScriptExpression) -> PackageIndex {
        let found = match whole.name {
            "ObjectConst" => reference(whole).unwrap_or(PackageIndex::NULL),
            _ => Types { scripts: self.scripts, class: self.class }.class_of(whole),
        };
        let is_class = self.scripts.class_name(found).eq_ignore_ascii_case("Class")
            || self.scripts.class(found).is_some();
        if is_class { found } else { PackageIndex::NULL }
    }
}
