//! Default values: from the block at the end of a class file to lists of properties.
//!
//! Spec: ue1-3/16 §16.8.

mod block;
mod change;
mod component;
mod given;
mod starts;
mod structure;
mod value;

use std::collections::HashMap;

use crate::compile::{ClassId, Diagnostic, Owner, SymbolId, ValueType};
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, PackageIndex};
use crate::property::{Property, PropertyList, Value};

use self::block::{Assignment, LineValue, ValueBlock, read, warning};
use self::component::InheritedObject;
pub(super) use self::given::KnownValues;
use self::given::{Given, MOST_ELEMENTS, is_zero};
use super::declare::ClassMaker;
use super::text::{ClassSource, CutBlock};

/// NamedObjects within objects nest this deep.
const DEEPEST: u32 = 8;
const NATIVE_OR_TRANSIENT: u64 = 0x3000;

/// How a compiler stores values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ValueRules {
    /// Every element of a class's own variables is stored, zero too: UT's patch 469.
    pub stores_zeros: bool,
    /// What is given is stored, also where the class above has the same.
    pub keeps_all: bool,
}

impl ClassMaker<'_> {
    /// Puts the default values of a class where its version has them.
    pub fn defaults(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        known: &mut KnownValues,
        rules: ValueRules,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let name = self.symbols.class(class).name.clone();
        let Some(row) = self.draft.find("Class", &name) else { return };
        let empty = CutBlock { text: String::new(), line: 1 };
        let cut = source.defaults.as_ref().unwrap_or(&empty);
        let block = read(&cut.text, cut.line);
        for (line, message) in &block.problems {
            diagnostics.push(warning(source, *line, message.clone()));
        }
        let holder = match self.is_ue3() {
            true => self.default_object(class, row),
            false => row,
        };
        let inherited = match self.is_ue3() {
            true => self.inherited_objects(class),
            false => Vec::new(),
        };
        self.inner_objects(source, holder, &block, &inherited, diagnostics, 0);
        self.repeat_objects(holder, &block, &inherited);
        if self.is_ue3() {
            self.map_components(class, row, holder);
        }
        let mut given = Given::new();
        for assignment in &block.assignments {
            if let Err(message) = self.assign(class, assignment, &mut given, known) {
                diagnostics.push(warning(source, assignment.line, message));
            }
        }
        if rules.stores_zeros {
            self.add_zeros(class, &mut given);
        }
        if self.is_ue3() {
            self.add_starts(class, &mut given);
        }
        if !rules.keeps_all {
            self.drop_inherited(class, &mut given, known, rules);
        }
        let list = self.list(class, &given);
        known.0.insert(class, given.into_iter().collect());
        match self.is_ue3() {
            true => self.draft.objects[holder].properties = list,
            false => {
                if let Some(ScriptObject::Class(found)) = self.draft.script_mut(row) {
                    found.defaults = list;
                }
            }
        }
    }

    /// The object that holds the defaults of a class of UE3.
    fn default_object(&mut self, class: ClassId, row: usize) -> usize {
        let name = self.symbols.class(class).name.clone();
        let path = format!("Default__{name}");
        let of = PackageIndex::export(row);
        let object = self.draft.create_object(of, &name, &path, PackageIndex::NULL);
        self.draft.objects[object].flags = crate::primitive::ObjectFlags(0x0007_0004_0000_0200);
        let archetype = match self.symbols.base(class) {
            Some(above) if self.symbols.is_own(above) => {
                let above = self.symbols.class(above).name.clone();
                let path = format!("Default__{above}");
                self.draft.find(&above, &path).map_or(PackageIndex::NULL, PackageIndex::export)
            }
            Some(above) => {
                let symbols = self.symbols;
                let (package, name) = (symbols.package(above), &symbols.class(above).name);
                let class = format!("{package}.{name}");
                let path = format!("Default__{name}");
                self.draft.import(&[(package, "Core.Package"), (&path, &class)])
            }
            None => PackageIndex::NULL,
        };
        self.draft.objects[object].archetype = archetype;
        if let Some(ScriptObject::Class(found)) = self.draft.script_mut(row) {
            found.class_default_object = PackageIndex::export(object);
        }
        object
    }

    /// The objects that a block declares, before what refers to them.
    fn inner_objects(
        &mut self,
        source: &ClassSource,
        outer: usize,
        block: &ValueBlock,
        inherited: &[InheritedObject],
        diagnostics: &mut Vec<Diagnostic>,
        depth: u32,
    ) {
        let outer_path = self.draft.path_of(PackageIndex::export(outer)).unwrap_or_default();
        for inner in &block.objects {
            let above = inherited.iter().find(|it| it.name.eq_ignore_ascii_case(&inner.name));
            let class = inner.class.as_deref().or(above.map(|it| it.class.as_str()));
            let class = class.and_then(|name| self.symbols.find_class(name));
            let Some(class) = class.filter(|_| depth < DEEPEST) else {
                let message = format!("the class of the object '{}' is not known", inner.name);
                diagnostics.push(warning(source, inner.line, message));
                continue;
            };
            let of = self.class_reference(class);
            let class_name = self.symbols.class(class).name.clone();
            let path = format!("{outer_path}.{}", inner.name);
            let index = PackageIndex::export(outer);
            let row = self.draft.create_object(of, &class_name, &path, index);
            let archetype = above.map_or(PackageIndex::NULL, |it| it.archetype);
            self.draft.objects[row].archetype = archetype;
            self.draft.objects[row].flags = match self.is_ue3() {
                true => self.inner_flags(&path, &class_name, archetype),
                false => self.legacy_flags(0x0007_0104),
            };
            self.inner_objects(source, row, &inner.block, &[], diagnostics, depth + 1);
            let (mut given, known) = (Given::new(), KnownValues::default());
            for assignment in &inner.block.assignments {
                if let Err(message) = self.assign(class, assignment, &mut given, &known) {
                    diagnostics.push(warning(source, assignment.line, message));
                }
            }
            if self.is_ue3() {
                self.add_replacement(class, &mut given);
            }
            self.draft.objects[row].properties = self.list(class, &given);
        }
    }

    /// Takes a line down.
    ///
    /// # Errors
    /// Why it is passed over.
    fn assign(
        &mut self,
        class: ClassId,
        line: &Assignment,
        given: &mut Given,
        known: &KnownValues,
    ) -> Result<(), String> {
        let text = match &line.value {
            LineValue::Value(text) => text,
            LineValue::Change(change) => {
                return self.change_array(class, (&line.name, change), given, known);
            }
        };
        let name = line.name.to_ascii_lowercase();
        let delegate = || self.symbols.find_variable(class, &format!("__{name}__delegate"));
        let Some(id) = self.symbols.find_variable(class, &name).or_else(delegate) else {
            let of = &self.symbols.class(class).name;
            return Err(format!("no variable '{}' in '{of}': the line is passed over", line.name));
        };
        let of = self.symbols.type_of(id);
        let element = line.element.unwrap_or(0);
        if let ValueType::Array(inner) = &of {
            let inner = inner.as_deref().cloned().unwrap_or(ValueType::Int);
            let key = (id, 0);
            let mut values = match given.get(&key).or_else(|| self.handed_down(class, key, known)) {
                Some(Value::Array(crate::property::Elements::Values(values))) => values.clone(),
                _ => Vec::new(),
            };
            match line.element {
                Some(element) if element < MOST_ELEMENTS => {
                    let value = self.value(class, &inner, text, None)?;
                    while values.len() <= element as usize {
                        values.push(self.zero(&inner));
                    }
                    values[element as usize] = value;
                }
                Some(element) => return Err(format!("{element} elements are too many")),
                None => values = self.elements(class, &inner, text)?,
            }
            let values = crate::property::Elements::Values(values);
            given.insert(key, Value::Array(values));
            return Ok(());
        }
        let count = self.length_of(id);
        if element >= count {
            return Err(format!(
                "'{}' has {count} elements, none has the number {element}",
                line.name
            ));
        }
        let key = (id, element);
        let before = given.get(&key).or_else(|| self.handed_down(class, key, known)).cloned();
        let value = self.value(class, &of, text, before.as_ref())?;
        // A bool in a tag has no bytes of its own.
        let value = match value {
            Value::BoolByte(value) => Value::Bool(value != 0),
            value => value,
        };
        given.insert(key, value);
        Ok(())
    }

    /// The value that a class hands down.
    fn handed_down<'k>(
        &self,
        class: ClassId,
        key: (SymbolId, u32),
        known: &'k KnownValues,
    ) -> Option<&'k Value> {
        let above = self.symbols.chain(class).skip(1);
        let mut above = above.filter_map(|class| known.0.get(&class));
        above.find_map(|values| values.get(&key))
    }

    /// Values that are those of the class above are not stored; nor are zeros of the class's own variables.
    fn drop_inherited(
        &mut self,
        class: ClassId,
        given: &mut Given,
        known: &KnownValues,
        rules: ValueRules,
    ) {
        let keys: Vec<(SymbolId, u32)> = given.keys().copied().collect();
        for key in keys {
            let id = key.0;
            if self.is_ue3() && self.is_kept(class, key) {
                continue;
            }
            let is_same = match self.handed_down(class, key, known) {
                Some(above) => given.get(&key) == Some(above),
                // What no class above has given is zero, where all of them were made here.
                None => {
                    let is_known = id.class == class || self.symbols.is_own(id.class);
                    let zero = self.zero_property(&self.symbols.type_of(id));
                    let value = given.get(&key);
                    // What a struct starts as is stored where it is something.
                    let is_zero = match self.is_ue3() && matches!(zero, Value::Fields(_)) {
                        true => value.is_some_and(is_zero),
                        false => value == Some(&zero),
                    };
                    is_known && is_zero && !(rules.stores_zeros && id.class == class)
                }
            };
            if is_same {
                given.remove(&key);
            }
        }
    }

    /// The variables of a class with all their elements, as far as nothing is given for them.
    fn add_zeros(&mut self, class: ClassId, given: &mut Given) {
        let variables = &self.symbols.class(class).variables;
        let own: Vec<SymbolId> = (0..variables.len())
            .filter(|row| variables.get(*row).is_some_and(|it| it.owner == Owner::Class))
            .filter_map(|row| Some(SymbolId { class, row: u32::try_from(row).ok()? }))
            .collect();
        for id in own {
            let path = self.symbols.variable_path(id);
            let flags = match self.draft.find_property(&path).and_then(|row| self.draft.script(row))
            {
                Some(ScriptObject::Property(property)) => property.property_flags,
                _ => 0,
            };
            if flags & NATIVE_OR_TRANSIENT != 0 {
                continue;
            }
            let of = self.symbols.type_of(id);
            let count = if matches!(of, ValueType::Array(_)) { 1 } else { self.length_of(id) };
            let zero = self.zero_property(&of);
            let (class, name) = path.split_once('.').unwrap_or_default();
            // The older package leaves a few out, for no reason that is known.
            let former = self.former.filter(|former| former.has_object(&path));
            for element in 0..count.min(MOST_ELEMENTS) {
                if former.is_none_or(|former| former.stores(class, name, element)) {
                    given.entry((id, element)).or_insert_with(|| zero.clone());
                }
            }
        }
    }

    /// The list in the order in which values are stored: the class's own variables first.
    fn list(&mut self, class: ClassId, given: &Given) -> PropertyList {
        let chain: Vec<ClassId> = self.symbols.chain(class).collect();
        let mut rows: Vec<(&(SymbolId, u32), &Value)> = given.iter().collect();
        let place = |id: ClassId| chain.iter().position(|it| *it == id).unwrap_or(usize::MAX);
        let mut places: HashMap<ClassId, HashMap<u32, usize>> = HashMap::new();
        for ((id, _), _) in &rows {
            places.entry(id.class).or_insert_with(|| self.places(id.class));
        }
        let name = self.symbols.class(class).name.clone();
        let former = |id: SymbolId, element: u32| {
            let former = self.former.filter(|_| !self.symbols.is_own(id.class))?;
            former.place_of(&name, &self.symbols.variable(id)?.name, element)
        };
        rows.sort_by_cached_key(|((id, element), _)| {
            let row = places.get(&id.class).and_then(|rows| rows.get(&id.row)).copied();
            let former = former(*id, *element).unwrap_or(usize::MAX);
            (place(id.class), former, row.unwrap_or(usize::MAX), id.row, *element)
        });
        let mut properties = Vec::with_capacity(rows.len());
        for ((id, element), value) in rows {
            let Some(variable) = self.symbols.variable(*id) else { continue };
            let of = self.stored_type(&self.symbols.type_of(*id));
            let made =
                Property::with_value(&variable.name, *element, &of, value.clone(), self.draft);
            properties.extend(made.ok());
        }
        PropertyList::new(properties, Name::new(0))
    }
}
