//! Default values: from the block at the end of a class file to lists of properties.
//!
//! Spec: ue1-3/16 §16.8.

mod block;
mod component;
mod structure;
mod value;

use std::collections::{BTreeMap, HashMap};

use crate::compile::{ClassId, Diagnostic, Owner, SymbolId, ValueType};
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, PackageIndex};
use crate::property::{Property, PropertyList, Value};

use self::block::{Assignment, ValueBlock, read};
use self::component::InheritedObject;
use super::declare::ClassMaker;
use super::text::{ClassSource, CutBlock};

/// NamedObjects within objects nest this deep.
const DEEPEST: u32 = 8;
/// Elements of an array: more are a slip of the pen.
const MOST_ELEMENTS: u32 = 1 << 16;

const NATIVE_OR_TRANSIENT: u64 = 0x3000;

/// The values of the classes that were made so far, by class and variable.
#[derive(Debug, Default)]
pub(super) struct KnownValues(HashMap<ClassId, HashMap<(SymbolId, u32), Value>>);

/// How a compiler stores values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ValueRules {
    /// Every element of a class's own variables is stored, zero too: UT's patch 469.
    pub stores_zeros: bool,
}

/// Values by variable and element; the elements of a dynamic array by their places.
type Given = BTreeMap<(SymbolId, u32), Value>;

/// What replaces a primitive component: always stored.
const REPLACEMENT: &str = "ReplacementPrimitive";

/// Whether nothing but zeros is in a value.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(value) => *value == 0,
        Value::Float(value) => value.to_bits() == 0,
        Value::Byte(value) | Value::BoolByte(value) => *value == 0,
        Value::BoolWord(value) => *value == 0,
        Value::Bool(value) => !value,
        Value::Object(index) => index.is_null(),
        // The first value of an enum has a name, too.
        Value::Name(_) => true,
        Value::Str(text) => text.is_empty(),
        Value::Fields(values) => values.iter().all(is_zero),
        Value::List(list) => list.properties.iter().all(|it| is_zero(it.value())),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

/// A message about a line of the values.
pub(super) fn warning(source: &ClassSource, line: u32, message: String) -> Diagnostic {
    let text = &source.syntax.source;
    let kind = crate::compile::DiagnosticKind::UnknownName;
    let mut warning = Diagnostic::error(text, kind, (0, 0), message).as_warning();
    (warning.line, warning.column, warning.length) = (line, 1, 1);
    warning.source_line = String::new();
    warning
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
        self.drop_inherited(class, &mut given, known, rules);
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

    /// Objects of the class above that the block does not name are there again.
    fn repeat_objects(&mut self, holder: usize, block: &ValueBlock, inherited: &[InheritedObject]) {
        let outer_path = self.draft.path_of(PackageIndex::export(holder)).unwrap_or_default();
        for object in inherited {
            if block.objects.iter().any(|it| it.name.eq_ignore_ascii_case(&object.name)) {
                continue;
            }
            let Some(class) = self.symbols.find_class(&object.class) else { continue };
            let path = format!("{outer_path}.{}", object.name);
            // One that nothing refers to any more is not stored.
            if self.former.is_some_and(|former| !former.has_object(&path)) {
                continue;
            }
            let of = self.class_reference(class);
            let flags = self.inner_flags(&path, &object.class, object.archetype);
            let holder = PackageIndex::export(holder);
            let row = self.draft.create_object(of, &object.class, &path, holder);
            self.draft.objects[row].flags = flags;
            self.draft.objects[row].archetype = object.archetype;
            let mut given = Given::new();
            self.add_replacement(class, &mut given);
            self.draft.objects[row].properties = self.list(class, &given);
        }
    }

    /// The class's own variables that start as something: structs that say so (UE3).
    fn add_starts(&mut self, class: ClassId, given: &mut Given) {
        self.add_replacement(class, given);
        let variables = &self.symbols.class(class).variables;
        for row in 0..u32::try_from(variables.len()).unwrap_or(0) {
            let id = SymbolId { class, row };
            let is_own =
                |it: &crate::compile::VariableSymbol| it.owner == Owner::Class && !it.is_native;
            if !self.symbols.variable(id).is_some_and(is_own) {
                continue;
            }
            let of = self.symbols.type_of(id);
            if !matches!(of, ValueType::Struct(_)) {
                continue;
            }
            let start = self.zero_property(&of);
            if is_zero(&start) {
                continue;
            }
            for element in 0..self.length_of(id).min(MOST_ELEMENTS) {
                given.entry((id, element)).or_insert_with(|| start.clone());
            }
        }
    }

    /// What all primitive components store, whether it is none or not.
    fn add_replacement(&self, class: ClassId, given: &mut Given) {
        let name = |id: ClassId| self.symbols.class(id).name.as_str();
        let is_primitive =
            self.symbols.chain(class).any(|it| name(it).eq_ignore_ascii_case("PrimitiveComponent"));
        let id = self.symbols.find_variable(class, &REPLACEMENT.to_ascii_lowercase());
        if let Some(id) = id.filter(|_| is_primitive) {
            given.entry((id, 0)).or_insert(Value::Object(PackageIndex::NULL));
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
                    let value = self.value(class, &inner, &line.value, None)?;
                    while values.len() <= element as usize {
                        values.push(self.zero(&inner));
                    }
                    values[element as usize] = value;
                }
                Some(element) => return Err(format!("{element} elements are too many")),
                None => values = self.elements(class, &inner, &line.value)?,
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
        let value = self.value(class, &of, &line.value, before.as_ref())?;
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

    /// Whether a value is stored whatever it is: components say what replaces them, and an older package may hold what
    /// C++ has put there.
    fn is_kept(&self, class: ClassId, key: (SymbolId, u32)) -> bool {
        let Some(variable) = self.symbols.variable(key.0) else { return false };
        let name = &self.symbols.class(class).name;
        let former = || self.former.is_some_and(|it| it.stores(name, &variable.name, key.1));
        variable.name.eq_ignore_ascii_case(REPLACEMENT) || former()
    }

    /// The places of a class's variables in its list: UE3 puts truths and bytes together.
    fn places(&self, class: ClassId) -> HashMap<u32, usize> {
        let declared = self.symbols.class(class);
        let header = declared.syntax.as_ref().and_then(|it| it.class.as_ref());
        let is_kept = header.is_some_and(|header| {
            header.modifiers.iter().any(|it| it.word.is("noexport")) || self.forces_order(header)
        }) || self.is_order_kept(class);
        let rows = (0..u32::try_from(declared.variables.len()).unwrap_or(0)).filter(|row| {
            declared.variables.get(*row as usize).is_some_and(|it| it.owner == Owner::Class)
        });
        let mut order: Vec<(u32, u8)> = Vec::new();
        for row in rows {
            let kind = match self.symbols.type_of(SymbolId { class, row }) {
                ValueType::Bool => 1,
                ValueType::Byte(_) => 2,
                _ => 0,
            };
            let last = order.iter().rposition(|it| it.1 == kind);
            let last = last.filter(|_| kind > 0 && self.is_ue3() && !is_kept);
            order.insert(last.map_or(order.len(), |at| at + 1), (row, kind));
        }
        order.into_iter().enumerate().map(|(place, (row, _))| (row, place)).collect()
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
