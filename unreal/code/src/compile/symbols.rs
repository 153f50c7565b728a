//! The symbols at hand: the classes of the packages and texts that code is compiled against.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::declarations::{
    ClassDeclarations, EnumSymbol, FunctionSymbol, Owner, StateSymbol, StructSymbol, TypeName,
    VariableSymbol, fold,
};
use super::types::ValueType;

/// A class among the symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// Something that a class declares: the class, and the row among what it declares of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId {
    /// The class.
    pub class: ClassId,
    /// The row.
    pub row: u32,
}

/// Classes above a class that are looked at: more is a circle.
const LONGEST_CHAIN: usize = 64;

/// Interfaces of interfaces that are looked at: more is a circle.
const MOST_INTERFACES: u32 = 64;

#[derive(Debug, Clone)]
struct ClassEntry {
    package: String,
    is_own: bool,
    declarations: Arc<ClassDeclarations>,
    base: OnceLock<Option<ClassId>>,
    /// The types of its variables, as they are asked for.
    types: Vec<OnceLock<ValueType>>,
}

/// The symbols at hand.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    classes: Vec<ClassEntry>,
    by_name: HashMap<String, ClassId>,
    own: Vec<ClassId>,
    enums: HashMap<String, Vec<SymbolId>>,
    structs: HashMap<String, Vec<SymbolId>>,
    values: HashMap<String, Vec<(SymbolId, u8)>>,
    closes_enums: bool,
}

impl Symbols {
    /// No symbols yet. `closes_enums`: whether the compiler adds a last value to enums (UE3).
    pub fn new(closes_enums: bool) -> Self {
        Self { closes_enums, ..Self::default() }
    }

    /// Adds a class of a package at hand.
    pub fn add(&mut self, package: &str, declarations: Arc<ClassDeclarations>) -> ClassId {
        self.add_class(package, declarations, false)
    }

    /// Adds a class of the package that is made: it counts instead of others of its name.
    pub fn add_own(&mut self, package: &str, declarations: Arc<ClassDeclarations>) -> ClassId {
        self.add_class(package, declarations, true)
    }

    fn add_class(
        &mut self,
        package: &str,
        declarations: Arc<ClassDeclarations>,
        is_own: bool,
    ) -> ClassId {
        let class = ClassId(u32::try_from(self.classes.len()).unwrap_or(u32::MAX));
        let name = fold(&declarations.name);
        let of_class = |row| SymbolId { class, row };
        for (name, row) in declarations.enum_names() {
            self.enums.entry(name.to_owned()).or_default().push(of_class(row));
        }
        for (name, row) in declarations.struct_names() {
            self.structs.entry(name.to_owned()).or_default().push(of_class(row));
        }
        for (name, (row, value)) in declarations.value_names() {
            self.values.entry(name.to_owned()).or_default().push((of_class(row), value));
        }
        let types = declarations.variables.iter().map(|_| OnceLock::new()).collect();
        let (package, base) = (package.to_owned(), OnceLock::new());
        self.classes.push(ClassEntry { package, is_own, declarations, base, types });
        // What is made counts before what is at hand, and what was added first before others.
        let is_new = !self.by_name.contains_key(&name);
        if is_own || is_new {
            self.by_name.insert(name, class);
        }
        if is_own {
            self.own.push(class);
        }
        class
    }

    fn entry(&self, class: ClassId) -> Option<&ClassEntry> {
        self.classes.get(class.0 as usize)
    }

    /// The declarations of a class.
    pub fn class(&self, class: ClassId) -> &ClassDeclarations {
        static EMPTY: OnceLock<ClassDeclarations> = OnceLock::new();
        match self.entry(class) {
            Some(entry) => &entry.declarations,
            None => EMPTY.get_or_init(ClassDeclarations::default),
        }
    }

    /// The package of a class.
    pub fn package(&self, class: ClassId) -> &str {
        self.entry(class).map_or("", |entry| &entry.package)
    }

    /// Whether a class is of the package that is made.
    pub fn is_own(&self, class: ClassId) -> bool {
        self.entry(class).is_some_and(|entry| entry.is_own)
    }

    /// The class of a name.
    pub fn find_class(&self, name: &str) -> Option<ClassId> {
        match self.by_name.get(name) {
            Some(class) => Some(*class),
            None => self.by_name.get(&fold(name)).copied(),
        }
    }

    /// The names of all classes, for advice.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.by_name.values().map(|class| self.class(*class).name.as_str())
    }

    /// The class above a class; `None` of `Object`, and where it is not at hand.
    pub fn base(&self, class: ClassId) -> Option<ClassId> {
        let entry = self.entry(class)?;
        *entry.base.get_or_init(|| {
            if entry.declarations.name.eq_ignore_ascii_case("Object") {
                return None;
            }
            // Those of UE3 extend one of their own.
            let is_interface = entry.declarations.is_interface && self.closes_enums;
            let first = self.find_class("Interface").filter(|it| is_interface && *it != class);
            match &entry.declarations.base {
                Some(base) => self.find_class(base),
                None => first.or_else(|| self.find_class("Object")),
            }
        })
    }

    /// A class and the classes above it.
    pub fn chain(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        std::iter::successors(Some(class), |class| self.base(*class)).take(LONGEST_CHAIN)
    }

    /// Whether the classes above a class are all at hand.
    pub fn is_complete(&self, class: ClassId) -> bool {
        let last = self.chain(class).last();
        last.is_some_and(|last| self.class(last).name.eq_ignore_ascii_case("Object"))
    }

    /// Whether a class is another one, extends it or implements it.
    pub fn is_a(&self, class: ClassId, other: ClassId) -> bool {
        self.is_a_within(class, &self.class(other).name, other, &mut { MOST_INTERFACES })
    }

    fn is_a_within(&self, class: ClassId, name: &str, other: ClassId, left: &mut u32) -> bool {
        self.chain(class).any(|it| {
            let declarations = self.class(it);
            if it == other || declarations.name.eq_ignore_ascii_case(name) {
                return true;
            }
            declarations.implements.iter().any(|interface| {
                if interface.eq_ignore_ascii_case(name) {
                    return true;
                }
                let class = self.find_class(interface).filter(|_| *left > 0);
                *left = left.saturating_sub(1);
                class.is_some_and(|it| self.is_a_within(it, name, other, left))
            })
        })
    }

    /// A variable.
    pub fn variable(&self, id: SymbolId) -> Option<&VariableSymbol> {
        self.class(id.class).variables.get(id.row as usize)
    }

    /// A function.
    pub fn function(&self, id: SymbolId) -> Option<&FunctionSymbol> {
        self.class(id.class).functions.get(id.row as usize)
    }

    /// A struct.
    pub fn structure(&self, id: SymbolId) -> Option<&StructSymbol> {
        self.class(id.class).structs.get(id.row as usize)
    }

    /// An enum.
    pub fn enumeration(&self, id: SymbolId) -> Option<&EnumSymbol> {
        self.class(id.class).enums.get(id.row as usize)
    }

    /// A state.
    pub fn state(&self, id: SymbolId) -> Option<&StateSymbol> {
        self.class(id.class).states.get(id.row as usize)
    }

    /// The first thing that a class or one above it has.
    fn inherited(
        &self,
        class: ClassId,
        find: impl Fn(&ClassDeclarations) -> Option<u32>,
    ) -> Option<SymbolId> {
        self.chain(class).find_map(|class| Some(SymbolId { class, row: find(self.class(class))? }))
    }

    /// The variable of a class or one above it.
    pub fn find_variable(&self, class: ClassId, folded: &str) -> Option<SymbolId> {
        self.inherited(class, |it| it.variable_named(folded))
    }

    /// The function of a class or one above it, states aside.
    pub fn find_function(&self, class: ClassId, folded: &str) -> Option<SymbolId> {
        self.inherited(class, |it| it.function_named(folded))
    }

    /// The first of some symbols that is still to be found by its name: those of the package that is made first.
    fn first_visible<T: Copy>(
        &self,
        symbols: Option<&Vec<T>>,
        class: impl Fn(T) -> ClassId,
    ) -> Option<T> {
        let symbols = symbols?;
        let is_visible = |it: &&T| {
            let class = class(**it);
            self.find_class(&self.class(class).name) == Some(class)
        };
        let is_own = |it: &&T| self.is_own(class(**it));
        let own = symbols.iter().filter(is_own).find(is_visible);
        own.or_else(|| symbols.iter().find(is_visible)).copied()
    }

    /// The enum of a name: of the class, those above it, then any.
    pub fn find_enum(&self, class: ClassId, folded: &str) -> Option<SymbolId> {
        self.inherited(class, |it| it.enum_named(folded))
            .or_else(|| self.first_visible(self.enums.get(folded), |it| it.class))
    }

    /// The struct of a name: of the class, those above it, then any.
    pub fn find_struct(&self, class: ClassId, folded: &str) -> Option<SymbolId> {
        self.inherited(class, |it| it.struct_named(folded))
            .or_else(|| self.first_visible(self.structs.get(folded), |it| it.class))
    }

    /// The value of an enum by its name: of the class, those above it, then any.
    pub fn find_value(&self, class: ClassId, folded: &str) -> Option<(SymbolId, u8)> {
        let near = self.chain(class).find_map(|class| {
            let (row, value) = self.value_in(self.class(class), folded)?;
            Some((SymbolId { class, row }, value))
        });
        let any = || self.first_visible(self.values.get(folded), |(it, _)| it.class);
        near.or_else(any).or_else(|| self.last_value(folded))
    }

    fn value_in(&self, class: &ClassDeclarations, folded: &str) -> Option<(u32, u8)> {
        let closing = || {
            if !self.closes_enums || !folded.ends_with("_max") {
                return None;
            }
            let stem = folded.strip_suffix("_max")?;
            let is = |it: &EnumSymbol| {
                it.name.eq_ignore_ascii_case(stem) || it.prefix().eq_ignore_ascii_case(stem)
            };
            let row = class.enums.iter().position(is)?;
            let values = class.enums.get(row)?.values.len();
            Some((u32::try_from(row).ok()?, u8::try_from(values).ok()?))
        };
        class.enum_value(folded).or_else(closing)
    }

    /// The last value of an enum that the compiler adds, of a class that is not above.
    fn last_value(&self, folded: &str) -> Option<(SymbolId, u8)> {
        let stem = folded.strip_suffix("_max").filter(|_| self.closes_enums)?;
        let id = self.first_visible(self.enums.get(stem), |it| it.class)?;
        Some((id, u8::try_from(self.enumeration(id)?.values.len()).ok()?))
    }

    /// The constant of a name: of the class, those above it, then of the package that is made.
    pub fn find_constant(
        &self,
        class: ClassId,
        folded: &str,
    ) -> Option<&super::declarations::WrittenValue> {
        let near = self.chain(class).find_map(|class| self.class(class).constants.get(folded));
        near.or_else(|| self.own.iter().find_map(|class| self.class(*class).constants.get(folded)))
    }

    /// A struct and the structs above it.
    pub fn struct_chain(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let base = |id: &SymbolId| {
            let structure = self.structure(*id)?;
            let base = structure.base.as_ref()?;
            if base.eq_ignore_ascii_case(&structure.name) {
                return None;
            }
            self.find_struct(id.class, &fold(base))
        };
        std::iter::successors(Some(id), base).take(20)
    }

    /// The member of a struct or one above it.
    pub fn find_member(&self, id: SymbolId, folded: &str) -> Option<(SymbolId, SymbolId)> {
        self.struct_chain(id).find_map(|id| {
            let row = self.structure(id)?.member(folded)?;
            Some((id, SymbolId { class: id.class, row }))
        })
    }

    /// The type of a variable.
    pub fn type_of(&self, id: SymbolId) -> ValueType {
        let Some(entry) = self.entry(id.class) else { return ValueType::Void };
        let Some(variable) = entry.declarations.variables.get(id.row as usize) else {
            return ValueType::Void;
        };
        let resolve = || self.resolve(&variable.of, id.class);
        match entry.types.get(id.row as usize) {
            Some(of) => of.get_or_init(resolve).clone(),
            None => resolve(),
        }
    }

    /// Whether a variable is a static array.
    pub fn is_array(&self, id: SymbolId) -> bool {
        self.variable(id).is_some_and(|it| it.length.is_some())
    }

    /// The type of a function's result.
    pub fn result_of(&self, id: SymbolId) -> ValueType {
        self.function(id).map_or(ValueType::Void, |it| self.resolve(&it.result, id.class))
    }

    /// Resolves a type in a class.
    pub fn resolve(&self, name: &TypeName, class: ClassId) -> ValueType {
        match name {
            TypeName::Void => ValueType::Void,
            TypeName::Named(name) => self.resolve_word(name, class),
            TypeName::Class(name) => {
                ValueType::Class(self.find_class(name).or_else(|| self.find_class("object")))
            }
            TypeName::Array(inner) => {
                ValueType::Array(inner.as_ref().map(|inner| Box::new(self.resolve(inner, class))))
            }
            TypeName::Map => ValueType::Map,
            TypeName::Delegate(path) => ValueType::Delegate(self.delegate(path, class)),
        }
    }

    fn delegate(&self, path: &[String], class: ClassId) -> Option<SymbolId> {
        let (name, classes) = path.split_last()?;
        let class = match classes.last() {
            Some(named) => self.find_class(named)?,
            None => class,
        };
        self.find_function(class, &fold(name))
    }

    fn resolve_word(&self, name: &str, class: ClassId) -> ValueType {
        let folded = fold(name);
        match folded.as_str() {
            "byte" => return ValueType::Byte(None),
            "int" | "button" => return ValueType::Int,
            "bool" => return ValueType::Bool,
            "float" => return ValueType::Float,
            "name" => return ValueType::Name,
            "string" => return ValueType::Text,
            "pointer" | "qword" if self.find_struct(class, &folded).is_none() => {
                return ValueType::Pointer;
            }
            "object" => return ValueType::Object(self.find_class("object")),
            _ => {}
        }
        // A class counts before what classes that are not above declare.
        let of_class = self.find_class(&folded);
        let near = |find: &dyn Fn(&ClassDeclarations) -> Option<u32>| self.inherited(class, find);
        let is_any = of_class.is_none();
        let enumeration = near(&|it| it.enum_named(&folded))
            .or_else(|| if is_any { self.find_enum(class, &folded) } else { None });
        if let Some(id) = enumeration {
            return ValueType::Byte(Some(id));
        }
        let structure = near(&|it| it.struct_named(&folded))
            .or_else(|| if is_any { self.find_struct(class, &folded) } else { None });
        match structure {
            Some(id) => ValueType::Struct(id),
            None => ValueType::Object(of_class),
        }
    }

    /// The path of the object that declares a symbol, from its class on: `Actor.Touch.Other`.
    pub(super) fn owner_path(&self, class: ClassId, owner: Owner) -> String {
        let name = self.class(class).name.clone();
        match owner {
            Owner::Class => name,
            Owner::Struct(row) => self.struct_path(SymbolId { class, row }),
            Owner::State(row) => {
                let state = self.state(SymbolId { class, row });
                state.map_or(name.clone(), |state| format!("{name}.{}", state.name))
            }
            Owner::Function(row) => self.function_path(SymbolId { class, row }),
        }
    }

    /// The path of a function.
    pub fn function_path(&self, id: SymbolId) -> String {
        let Some(function) = self.function(id) else { return String::new() };
        format!("{}.{}", self.owner_path(id.class, function.owner), function.object_name)
    }

    /// The path of a struct.
    pub fn struct_path(&self, id: SymbolId) -> String {
        let mut names = Vec::new();
        let mut row = Some(id.row);
        while let Some(structure) =
            row.and_then(|row| self.structure(SymbolId { class: id.class, row }))
        {
            names.push(structure.name.as_str());
            // What lies in itself is no struct.
            row = structure.outer.filter(|outer| Some(*outer) < row);
        }
        let mut path = self.class(id.class).name.clone();
        for name in names.into_iter().rev() {
            path.push('.');
            path.push_str(name);
        }
        path
    }

    /// The path of a variable.
    pub fn variable_path(&self, id: SymbolId) -> String {
        let Some(variable) = self.variable(id) else { return String::new() };
        format!("{}.{}", self.owner_path(id.class, variable.owner), variable.name)
    }
}
