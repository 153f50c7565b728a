//! The declarations of compiled classes: packages at hand whose texts are not.

use std::sync::Arc;

use super::declarations::{
    ArrayLength, ClassDeclarations, FunctionSymbol, Owner, TypeName, VariableSymbol, WrittenValue,
};
use super::parser::parse;
use super::syntax::{FunctionKind, SyntaxItem};
use crate::language::dialect::Dialect;
use crate::language::symbol::symbol_of;
use crate::object::Native;
use crate::object::script_object::{Class, Function, PropertyClass, ScriptObject, UProperty};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};

/// Flags of properties (spec: ue1-3/12 §12.3, §12.5).
const NATIVE_VARIABLE: u64 = 0x1000;
const CONST: u64 = 0x2;
const OPTIONAL: u64 = 0x10;
const PARAMETER: u64 = 0x80;
const OUT: u64 = 0x100;
const SKIP: u64 = 0x200;
const RESULT: u64 = 0x400;
const COERCE: u64 = 0x800;
/// Flags of functions (spec: ue1-3/12 §12.5).
const FINAL: u32 = 0x1;
const LATENT: u32 = 0x8;
const BEFORE: u32 = 0x10;
const NATIVE: u32 = 0x400;
const OPERATOR: u32 = 0x1000;
const PRIVATE: u32 = 0x4_0000;
const DELEGATE: u32 = 0x10_0000;
/// The flag of interfaces (UE3).
const INTERFACE: u32 = 0x4000;
/// Arrays in arrays that are looked at.
const DEEPEST: u32 = 8;

impl ClassDeclarations {
    /// The declarations of each class that a package holds; classes that can't be decoded are left out.
    pub fn of_package(package: &Package) -> Vec<Self> {
        let reader = PackageReader { package };
        (0..package.exports().len()).filter_map(|row| reader.class(row)).collect()
    }
}

struct PackageReader<'a> {
    package: &'a Package,
}

impl PackageReader<'_> {
    fn object(&self, index: PackageIndex) -> Option<ScriptObject> {
        let ObjectRef::Export(row) = index.target() else { return None };
        let decoded = self.package.decode(row).ok()?;
        match &decoded.body.native {
            Native::Script(object) => Some((**object).clone()),
            _ => None,
        }
    }

    fn name(&self, index: PackageIndex) -> String {
        self.package.object_name(index)
    }

    fn optional_name(&self, index: PackageIndex) -> Option<String> {
        (!index.is_null()).then(|| self.name(index))
    }

    /// The fields of a struct, function, state or class in the order of its list.
    fn fields(&self, first: PackageIndex) -> Vec<(PackageIndex, ScriptObject)> {
        let mut fields = Vec::new();
        let mut next = first;
        // No list is longer than the table.
        while fields.len() <= self.package.exports().len() {
            let Some(object) = self.object(next) else { break };
            let behind = object.field().next;
            fields.push((next, object));
            next = behind;
        }
        fields
    }

    fn class(&self, row: usize) -> Option<ClassDeclarations> {
        let index = PackageIndex::export(row);
        // Most exports are no classes: they are not decoded.
        let of = self.package.exports().get(row)?.class();
        if !of.rsplit('.').next().is_some_and(|name| name.eq_ignore_ascii_case("Class")) {
            return None;
        }
        let ScriptObject::Class(class) = self.object(index)? else { return None };
        let structure = &class.base.base;
        // Before version 756 the row of a class says what it extends, not its body.
        let row_says = self.package.tables().exports.get(row).map(|export| export.super_index);
        let base = self
            .optional_name(structure.super_field)
            .or_else(|| row_says.and_then(|base| self.optional_name(base)));
        let mut all = ClassDeclarations::new(self.name(index), base);
        self.describe(&class, &mut all);
        let fields = self.fields(structure.children);
        self.declare(&fields, Owner::Class, None, &mut all);
        Some(all)
    }

    fn describe(&self, class: &Class, all: &mut ClassDeclarations) {
        let has_interfaces = Dialect::of(self.package.versions()).has_interfaces();
        all.is_interface = has_interfaces && class.class_flags & INTERFACE != 0;
        let within = self.optional_name(class.within);
        all.within = within.filter(|name| !name.eq_ignore_ascii_case("Object"));
        all.implements = class.interfaces.iter().map(|it| self.name(it.class)).collect();
    }

    fn declare(
        &self,
        fields: &[(PackageIndex, ScriptObject)],
        owner: Owner,
        outer: Option<u32>,
        all: &mut ClassDeclarations,
    ) {
        // Lists hold functions newest first.
        for (index, object) in fields.iter().rev() {
            let name = self.name(*index);
            match object {
                ScriptObject::Enum(it) => {
                    let mut values: Vec<String> =
                        it.names.iter().map(|name| self.package.name_text(*name)).collect();
                    // UE3 stores the last value that the compiler adds.
                    let closes = Dialect::of(self.package.versions()).closes_enums();
                    let is_added = |it: &String| it.to_ascii_lowercase().ends_with("_max");
                    if closes && values.last().is_some_and(is_added) {
                        values.pop();
                    }
                    all.add_enum_values(&name, values);
                }
                ScriptObject::Const(it) => {
                    let value = it.value.text(self.package.source()).ok();
                    let value = value.and_then(|text| written(&text));
                    if let Some(value) = value {
                        all.add_constant_value(&name, value);
                    }
                }
                ScriptObject::Struct(it) => {
                    let base = self.optional_name(it.base.super_field);
                    let row = all.add_empty_struct(&name, base, outer);
                    let members = self.fields(it.base.children);
                    self.declare(&members, Owner::Struct(row), Some(row), all);
                }
                ScriptObject::Function(it) => self.function(*index, it, owner, all),
                ScriptObject::State(it) => {
                    let base = self.optional_name(it.base.super_field);
                    let base = base.filter(|base| !base.eq_ignore_ascii_case(&name));
                    let row = all.add_empty_state(&name, base, None);
                    let functions = self.fields(it.base.children);
                    self.declare(&functions, Owner::State(row), None, all);
                }
                ScriptObject::Class(_) | ScriptObject::Property(_) => {}
            }
        }
        for (index, object) in fields {
            let ScriptObject::Property(property) = object else { continue };
            let name = self.name(*index);
            if !name.starts_with("__") {
                all.add_variable(self.variable(name, *index, property, owner));
            }
        }
    }

    fn variable(
        &self,
        name: String,
        index: PackageIndex,
        property: &UProperty,
        owner: Owner,
    ) -> VariableSymbol {
        let flags = property.property_flags;
        VariableSymbol {
            name,
            owner,
            of: self.type_of(index, property, 0),
            length: (property.array_dim > 1).then_some(ArrayLength::Number(property.array_dim)),
            is_optional: flags & OPTIONAL != 0,
            is_out: flags & OUT != 0,
            is_coerce: flags & COERCE != 0,
            is_skip: flags & SKIP != 0,
            is_const: flags & CONST != 0,
            is_native: flags & NATIVE_VARIABLE != 0,
        }
    }

    fn function(
        &self,
        index: PackageIndex,
        function: &Function,
        owner: Owner,
        all: &mut ClassDeclarations,
    ) {
        let flags = function.function_flags;
        let object_name = self.name(index);
        let row = u32::try_from(all.functions.len()).unwrap_or(u32::MAX);
        let mut parameters = Vec::new();
        let (mut result, mut is_result_coerced) = (TypeName::Void, false);
        for (index, field) in self.fields(function.base.children) {
            let ScriptObject::Property(property) = &field else { continue };
            let name = self.name(index);
            if property.property_flags & RESULT != 0 {
                result = self.type_of(index, property, 0);
                is_result_coerced = property.property_flags & COERCE != 0;
            } else if property.property_flags & PARAMETER != 0 {
                let variable = self.variable(name, index, property, Owner::Function(row));
                parameters.push(all.add_variable(variable));
            }
        }
        let kind = match () {
            () if flags & OPERATOR != 0 && flags & BEFORE != 0 => FunctionKind::PreOperator,
            () if flags & OPERATOR != 0 && parameters.len() == 1 => FunctionKind::PostOperator,
            () if flags & OPERATOR != 0 => FunctionKind::Operator,
            () if flags & DELEGATE != 0 => FunctionKind::Delegate,
            () => FunctionKind::Function,
        };
        let stored = function.base.friendly_name.get().or(function.friendly_name.get());
        let friendly = stored.map(|name| self.package.name_text(name));
        let name = match kind.is_operator() {
            true => friendly.or_else(|| symbol_of(&object_name)),
            false => friendly,
        };
        let symbol = FunctionSymbol {
            name: name.unwrap_or_else(|| object_name.clone()),
            object_name,
            owner,
            kind,
            native: Some(function.native).filter(|native| *native != 0),
            precedence: function.oper_precedence,
            result,
            is_result_coerced,
            parameters,
            locals: Vec::new(),
            is_final: flags & FINAL != 0,
            is_private: flags & PRIVATE != 0,
            is_latent: flags & LATENT != 0,
            is_native: flags & NATIVE != 0,
            place: None,
        };
        // SWAT 4 has several constructors, each with the types of its parameters in the name of its object.
        let is_overloaded = !kind.is_operator()
            && symbol.name.eq_ignore_ascii_case("construct")
            && !symbol.name.eq_ignore_ascii_case(&symbol.object_name);
        all.add_function_symbol(symbol, is_overloaded);
    }

    fn type_of(&self, index: PackageIndex, property: &UProperty, depth: u32) -> TypeName {
        let ObjectRef::Export(row) = index.target() else { return TypeName::Void };
        let class = self.package.exports().get(row).map(|it| it.class()).unwrap_or_default();
        let class = class.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let named = |name: &str| TypeName::Named(name.to_owned());
        let reference = match &property.class {
            PropertyClass::One(index) | PropertyClass::Two(index, _) => *index,
            PropertyClass::Delegate(index, ..) => *index,
            _ => PackageIndex::NULL,
        };
        match class.as_str() {
            "byteproperty" if reference.is_null() => named("byte"),
            "intproperty" => named("int"),
            "boolproperty" => named("bool"),
            "floatproperty" => named("float"),
            "nameproperty" => named("name"),
            "strproperty" | "stringproperty" => named("string"),
            "pointerproperty" => named("pointer"),
            "classproperty" => match &property.class {
                PropertyClass::Two(_, meta) if !meta.is_null() => TypeName::Class(self.name(*meta)),
                _ => TypeName::Class("Object".to_owned()),
            },
            "arrayproperty" => {
                let inner = match self.object(reference) {
                    Some(ScriptObject::Property(inner)) if depth < DEEPEST => {
                        Some(Box::new(self.type_of(reference, &inner, depth + 1)))
                    }
                    _ => None,
                };
                TypeName::Array(inner)
            }
            "mapproperty" => TypeName::Map,
            "delegateproperty" => {
                let owner = self.package.outer(reference);
                let path = [owner, reference].into_iter().filter_map(|it| self.optional_name(it));
                TypeName::Delegate(path.collect())
            }
            _ => TypeName::Named(self.name(reference)),
        }
    }
}

/// The value of a constant from its stored text.
fn written(text: &str) -> Option<WrittenValue> {
    let parsed = parse("", format!("const X = {text};"));
    let syntax = Arc::new(parsed.syntax);
    let value = match syntax.items.first()? {
        SyntaxItem::Constant(constant) => Arc::new(constant.value.clone()),
        _ => return None,
    };
    Some(WrittenValue { syntax, value })
}
