//! Uses of a declaration by its name outside of packages: files of settings, compiled code.

use super::Renamed;
use super::declaration::{DeclarationKind, RenamedDeclaration};
use crate::edit::Edit;
use crate::object::script_object::ScriptObject;
use crate::object::{Body, Native};

/// Flags of properties whose values stand in ini files and in files of languages.
const CONFIG: u64 = 0x4000 | 0x4_0000;
const LOCALIZED: u64 = 0x8000;
/// Flags of functions that are called by compiled code, or are compiled code.
const NATIVE: u32 = 0x400;
const EVENT: u32 = 0x800;
/// The flag of classes whose values stand in ini files.
const CONFIG_CLASS: u32 = 0x4;

impl Edit {
    /// Notes the uses of a declaration outside of packages and in compiled code.
    pub(super) fn warn_of_outside(&self, declaration: &RenamedDeclaration, renamed: &mut Renamed) {
        let old = self.name_text(declaration.old);
        for &row in &declaration.rows {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let path = self.exports().path(row);
            let facts = outside_facts(&decoded.body);
            if facts.is_config {
                let what = match declaration.kind {
                    DeclarationKind::Class => format!("sections of ini files that name {old}"),
                    _ => format!("lines {old}= of ini files"),
                };
                renamed.care.push(format!("{path} is configured: {what} stay"));
            }
            if facts.is_localized {
                let lines = "of files of languages stay";
                renamed.care.push(format!("{path} is localized: lines {old}= {lines}"));
            }
            if facts.is_called_by_engine {
                renamed.care.push(format!("{path} is called or made by compiled code as '{old}'"));
            }
        }
    }
}

/// The facts that a declaration gives about files and code outside.
#[derive(Debug, Clone, Copy, Default)]
struct OutsideFacts {
    is_config: bool,
    is_localized: bool,
    is_called_by_engine: bool,
}

fn outside_facts(body: &Body) -> OutsideFacts {
    let mut facts = OutsideFacts::default();
    if let Native::Script(object) = &body.native {
        match &**object {
            ScriptObject::Property(property) => {
                facts.is_config = property.property_flags & CONFIG != 0;
                facts.is_localized = property.property_flags & LOCALIZED != 0;
            }
            ScriptObject::Function(function) => {
                facts.is_called_by_engine =
                    function.native != 0 || function.function_flags & (NATIVE | EVENT) != 0;
            }
            ScriptObject::Class(class) => facts.is_config = class.class_flags & CONFIG_CLASS != 0,
            _ => {}
        }
    }
    facts
}
