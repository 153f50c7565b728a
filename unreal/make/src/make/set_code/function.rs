//! Functions with their local variables, and states.

use std::collections::HashSet;

use crate::compile::syntax::SyntaxItem;
use crate::compile::{ClassId, Compiler, Diagnostic, SymbolId};
use crate::edit::RemoveOptions;
use crate::error::{Error, Result};
use crate::make::declare::ClassMaker;
use crate::make::text::ClassSource;
use crate::object::Native;
use crate::object::script_object::{PropertyClass, ScriptObject};
use crate::primitive::{ObjectRef, PackageIndex};

use super::outcome::SetObject;
use super::rows::CodeRows;
use super::target::{CodeTarget, TargetKind};

/// What the words of parameters say, and that it is one.
const PARAMETER: u64 = 0x80;
const SIGNATURE: u64 = 0x10 | PARAMETER | 0x100 | 0x200 | 0x400 | 0x800;
/// What words before functions say that mean the same in every engine.
const WORDS: u32 = 0x1 | 0x4 | 0x8 | 0x20 | 0x200 | 0x800 | 0x1000 | 0x2000;

/// A function or state of the draft, and where it goes.
#[derive(Debug, Clone)]
pub(super) struct MadeCode {
    pub draft_row: usize,
    pub path: String,
    /// Where the table of labels is, of a state.
    pub label_table: Option<u16>,
    pub is_state: bool,
}

/// A parameter or local variable, as far as one can stand for another.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FieldShape {
    name: String,
    class: String,
    flags: u64,
    count: u32,
    /// The names of what its type refers to.
    of: Vec<String>,
}

/// A field with its row, and that within an array.
#[derive(Debug, Clone)]
struct OwnField {
    row: usize,
    inner: Option<usize>,
    shape: FieldShape,
}

impl ClassMaker<'_> {
    /// Declares and compiles what a text has for a target.
    pub(super) fn given(
        &mut self,
        compiler: &Compiler<'_>,
        source: &ClassSource,
        class: ClassId,
        target: &CodeTarget,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<MadeCode> {
        let symbols = self.symbols;
        let name = symbols.class(class).name.clone();
        let mut made = Vec::new();
        for (place, item) in (0_u32..).zip(&source.syntax.items) {
            match item {
                SyntaxItem::Function(written) => {
                    let row = self.single_function(source, class, None, written);
                    let at = (place, None);
                    made.extend(self.given_function(
                        compiler,
                        source,
                        (class, at),
                        row,
                        diagnostics,
                    ));
                }
                SyntaxItem::State(state) => {
                    for (inner, written) in (0_u32..).zip(&state.functions) {
                        let of = Some(state.name.text.as_str());
                        let row = self.single_function(source, class, of, written);
                        let at = (place, Some(inner));
                        made.extend(self.given_function(
                            compiler,
                            source,
                            (class, at),
                            row,
                            diagnostics,
                        ));
                    }
                    let found =
                        symbols.class(class).state_named(&state.name.text.to_ascii_lowercase());
                    let Some(id) = found.filter(|_| target.kind == TargetKind::State) else {
                        continue;
                    };
                    let path = format!("{name}.{}", state.name.text);
                    let around = PackageIndex::export(self.draft.reserve("Class", &name));
                    let row = self.draft.create("State", &path, around);
                    let Some(code) = compiler.state(SymbolId { class, row: id }) else { continue };
                    let label_table = Some(code.label_table.unwrap_or(u16::MAX));
                    self.put(row, code, source, diagnostics);
                    made.push(MadeCode { draft_row: row, path, label_table, is_state: true });
                }
                _ => {}
            }
        }
        made
    }

    fn given_function(
        &mut self,
        compiler: &Compiler<'_>,
        source: &ClassSource,
        (class, place): (ClassId, (u32, Option<u32>)),
        draft_row: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<MadeCode> {
        let symbols = self.symbols;
        let functions = &symbols.class(class).functions;
        let row = functions.iter().rposition(|it| it.place == Some(place))?;
        let id = SymbolId { class, row: u32::try_from(row).ok()? };
        let code = compiler.function(id)?;
        self.put(draft_row, code, source, diagnostics);
        let path = symbols.function_path(id);
        Some(MadeCode { draft_row, path, label_table: None, is_state: false })
    }
}

impl CodeRows<'_> {
    /// Puts the code of a function or state where it belongs.
    pub fn put_made(&mut self, made: &MadeCode) -> Result<SetObject> {
        let kind = if made.is_state { "State" } else { "Function" };
        let Some(target) = self.find(kind, &made.path) else {
            let path = &made.path;
            let next = "upk make makes a package of all its classes anew";
            return Err(Error::invalid(format!("there is no '{path}' to replace\n  next: {next}")));
        };
        self.made.insert(made.draft_row, target);
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        let mut gone = Vec::new();
        let mut chain = Vec::new();
        if !made.is_state {
            let old = self.own_fields(target);
            let new = self.draft_fields(made.draft_row);
            self.check_declaration(&made.path, target, made.draft_row, &old, &new)?;
            let mut left = old;
            let mut fresh = Vec::new();
            for field in &new {
                match left.iter().position(|it| is_same(&it.shape, &field.shape)) {
                    Some(at) => {
                        let found = left.remove(at);
                        self.made.insert(field.row, found.row);
                        if let (Some(draft), Some(own)) = (field.inner, found.inner) {
                            self.made.insert(draft, own);
                        }
                        chain.push(found.row);
                    }
                    None => {
                        let row = self.add_field(field.row, target)?;
                        if let Some(inner) = field.inner {
                            self.add_field(inner, row)?;
                            fresh.push(inner);
                        }
                        fresh.push(field.row);
                        added.push(field.shape.name.clone());
                        chain.push(row);
                    }
                }
            }
            // Types may refer to any of them.
            for row in fresh {
                self.fill_field(row)?;
            }
            removed.extend(left.iter().map(|it| it.shape.name.clone()));
            gone.extend(left.iter().map(|it| format!("#{}", it.row)));
        }
        let native = self.draft.objects.get(made.draft_row).map(|it| it.native.clone());
        let native = self.native(&native.unwrap_or_default())?;
        let code = native.code().map(|code| code.items.clone()).unwrap_or_default();
        let done = self.edit.put_code(target, code, made.label_table)?;
        if !made.is_state {
            self.link(target, &chain)?;
        }
        if !gone.is_empty() {
            let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
            self.edit.remove_objects(&gone, RemoveOptions::Refuse)?;
        }
        let is_changed = done.is_changed || !added.is_empty() || !removed.is_empty();
        Ok(SetObject { object: done.object, is_changed, sizes: done.sizes, added, removed })
    }

    /// A state keeps its functions.
    pub fn check_state(&self, target: &CodeTarget, source: &ClassSource) -> Result<()> {
        if target.kind != TargetKind::State {
            return Ok(());
        }
        let named: HashSet<String> = source
            .syntax
            .items
            .iter()
            .filter_map(|item| match item {
                SyntaxItem::State(state) => Some(state),
                _ => None,
            })
            .flat_map(|state| {
                let functions = state.functions.iter().map(|it| &it.name);
                functions.chain(&state.ignores).map(|it| it.text.to_ascii_lowercase())
            })
            .collect();
        let missing = self.chain_of(target.row).into_iter().find(|row| {
            let name = self.edit.object_name(PackageIndex::export(*row)).to_ascii_lowercase();
            matches!(self.script(*row), Some(ScriptObject::Function(_))) && !named.contains(&name)
        });
        match missing {
            None => Ok(()),
            Some(row) => {
                let name = self.edit.object_name(PackageIndex::export(row));
                let path = &target.path;
                Err(Error::invalid(format!(
                    "the text of the state '{path}' lacks its function '{name}'"
                )))
            }
        }
    }

    fn check_declaration(
        &self,
        path: &str,
        target: usize,
        draft_row: usize,
        old: &[OwnField],
        new: &[OwnField],
    ) -> Result<()> {
        let parameters = |all: &[OwnField]| -> Vec<FieldShape> {
            let own = all.iter().filter(|it| it.shape.flags & PARAMETER != 0);
            own.map(|it| FieldShape { flags: it.shape.flags & SIGNATURE, ..it.shape.clone() })
                .collect()
        };
        let next = "upk make makes the package anew from all its classes";
        let is_same =
            |(one, two): (&FieldShape, &FieldShape)| one.flags == two.flags && is_same(one, two);
        let (before, after) = (parameters(old), parameters(new));
        let pairs = before.iter().zip(&after);
        let differs = pairs.clone().find(|pair| !is_same(*pair)).map(|pair| pair.0.name.as_str());
        let longer = before.get(after.len()).or_else(|| after.get(before.len()));
        if let Some(name) = differs.or(longer.map(|it| it.name.as_str())) {
            return Err(Error::invalid(format!(
                "'{path}' has other parameters in the package, or another result ('{name}'), and what calls it \
                 counts on them; {next}"
            )));
        }
        let flags = |object: Option<&ScriptObject>| match object {
            Some(ScriptObject::Function(it)) => Some(it.function_flags & WORDS),
            _ => None,
        };
        let own = self.script(target);
        if flags(own.as_ref()) != flags(self.draft.script(draft_row)) {
            return Err(Error::invalid(format!(
                "other words stand before '{path}' in the package (final, static, event and the like); {next}"
            )));
        }
        Ok(())
    }

    /// The parameters and local variables of a function of the package.
    fn own_fields(&self, function: usize) -> Vec<OwnField> {
        let rows = self.chain_of(function);
        rows.into_iter()
            .filter_map(|row| {
                let object = self.script(row)?;
                let ScriptObject::Property(property) = &object else { return None };
                let inner = match (&property.class, self.class_of(row).as_str()) {
                    (PropertyClass::One(inner), "arrayproperty") => inner.target(),
                    _ => ObjectRef::Null,
                };
                let inner = match inner {
                    ObjectRef::Export(row) => Some(row),
                    _ => None,
                };
                let name_of = |index: PackageIndex| self.edit.object_name(index);
                let mut of = references(&property.class, &name_of);
                if let Some(inner) = inner
                    && let Some(ScriptObject::Property(property)) = self.script(inner)
                {
                    of.push(self.class_of(inner));
                    of.extend(references(&property.class, &name_of));
                }
                let shape = FieldShape {
                    name: self.edit.object_name(PackageIndex::export(row)),
                    class: self.class_of(row),
                    flags: property.property_flags,
                    count: property.array_dim,
                    of,
                };
                Some(OwnField { row, inner, shape })
            })
            .collect()
    }

    /// Those of a function of the draft.
    fn draft_fields(&self, function: usize) -> Vec<OwnField> {
        let draft = self.draft;
        let mut fields = Vec::new();
        let mut at = draft.script(function).and_then(|it| it.structure()).map(|it| it.children);
        while let Some(ObjectRef::Export(row)) = at.map(PackageIndex::target) {
            let Some(object) = draft.script(row).filter(|_| fields.len() < draft.objects.len())
            else {
                break;
            };
            at = Some(object.field().next);
            let ScriptObject::Property(property) = object else { continue };
            let class = self.draft_class(row);
            let inner = match (&property.class, class.as_str()) {
                (PropertyClass::One(inner), "arrayproperty") => match inner.target() {
                    ObjectRef::Export(row) => Some(row),
                    _ => None,
                },
                _ => None,
            };
            let name_of = |index: PackageIndex| self.draft_name(index);
            let mut of = references(&property.class, &name_of);
            if let Some(inner) = inner
                && let Some(ScriptObject::Property(property)) = draft.script(inner)
            {
                of.push(self.draft_class(inner));
                of.extend(references(&property.class, &name_of));
            }
            let shape = FieldShape {
                name: draft.text(draft.objects[row].name),
                class,
                flags: property.property_flags,
                count: property.array_dim,
                of,
            };
            fields.push(OwnField { row, inner, shape });
        }
        fields
    }

    /// A new field of the package for one of the draft, still without its type.
    fn add_field(&mut self, draft_row: usize, outer: usize) -> Result<usize> {
        let object = &self.draft.objects[draft_row];
        let (name, flags) = (self.draft.text(object.name), object.flags);
        let class = self.draft_class_name(draft_row);
        let blank = ScriptObject::blank(&class).unwrap_or_default();
        let native = Native::Script(Box::new(blank));
        let class = format!("Core.{class}");
        let outer = PackageIndex::export(outer);
        let row = self.edit.add_field(outer, &name, &class, native, flags)?;
        self.made.insert(draft_row, row);
        Ok(row)
    }

    fn fill_field(&mut self, draft_row: usize) -> Result<()> {
        let Some(&row) = self.made.get(&draft_row) else { return Ok(()) };
        let mut native = self.draft.objects[draft_row].native.clone();
        if let Native::Script(object) = &mut native {
            object.field_mut().next = PackageIndex::NULL;
        }
        let native = self.native(&native)?;
        self.edit.change_body(row, |body| {
            body.native = native;
            Ok(())
        })
    }

    /// The fields of a function in this order.
    fn link(&mut self, function: usize, chain: &[usize]) -> Result<()> {
        if self.chain_of(function) == chain {
            return Ok(());
        }
        let index =
            |row: Option<&usize>| row.map_or(PackageIndex::NULL, |row| PackageIndex::export(*row));
        let first = index(chain.first());
        self.edit.change_body(function, |body| {
            if let Native::Script(object) = &mut body.native
                && let Some(structure) = object.structure_mut()
            {
                structure.children = first;
            }
            Ok(())
        })?;
        for (at, row) in chain.iter().enumerate() {
            let next = index(chain.get(at + 1));
            if self.script(*row).is_some_and(|it| it.field().next == next) {
                continue;
            }
            self.edit.change_body(*row, |body| {
                if let Native::Script(object) = &mut body.native {
                    object.field_mut().next = next;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The names of what a type refers to; that within an array is described apart.
fn references(class: &PropertyClass, name_of: &dyn Fn(PackageIndex) -> String) -> Vec<String> {
    let all: &[PackageIndex] = match class {
        PropertyClass::One(one) => &[*one],
        PropertyClass::Two(one, two) => &[*one, *two],
        PropertyClass::Delegate(one, ..) => &[*one],
        _ => &[],
    };
    let some = all.iter().filter(|it| !it.is_null());
    some.map(|it| name_of(*it).to_ascii_lowercase()).collect()
}

fn is_same(one: &FieldShape, two: &FieldShape) -> bool {
    one.name.eq_ignore_ascii_case(&two.name)
        && one.class == two.class
        && one.count == two.count
        && one.of == two.of
}
