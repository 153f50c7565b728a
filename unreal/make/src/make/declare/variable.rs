//! Variables: of classes, structs and functions.

use crate::compile::TokenKind;
use crate::compile::syntax::{DeclaredName, Syntax, TypeKind, TypeSyntax, Variables};
use crate::compile::{ClassId, SymbolId, ValueType};
use crate::language::WordOf;
use crate::object::script_object::{PropertyClass, ScriptObject};
use crate::primitive::{FString, ObjectFlags, ObjectRef, PackageIndex};
use crate::version::{Engine, UnrealVersions};

use super::super::text::ClassSource;
use super::class_maker::{ClassMaker, DeclaredIn};
use super::written_type::type_name;

const EDIT: u64 = 0x1;
const CONST: u64 = 0x2;
const NATIVE: u64 = 0x1000;
const INIT: u64 = 0x10_0000;
const EDIT_INLINE: u64 = 0x400_0000;
const NEEDS_CONSTRUCTION: u64 = 0x40_0000;
const COMMENTED: u64 = 0x200_0000;
/// Flags of variables of classes of UE2 whose objects are made with them.
const INSTANCED: u64 = 0x400_0008;
const INSTANCED_CLASS: u32 = 0x20_0000;
/// Flags of variables for components of UE3.
const COMPONENT: u64 = 0x408_0008;
/// UE3: it holds components.
const HAS_COMPONENTS: u64 = 0x8_0000;
/// What the elements of a dynamic array of UE3 have from it: export, config, localized, editconst, init,
/// editinline, deprecated.
const OF_ELEMENTS: u64 = 0x2412_c008;
const EDITOR_ONLY: u64 = 0x8_0000_0000;
/// First file version whose elements have that, too: 820 has not, 864 has.
const EDITOR_ONLY_ELEMENTS: u32 = 864;
/// `automated`, which puts the variable into the class's own category.
const AUTOMATED: u64 = 0xc440_0009;

/// Words that set more than the flag that is theirs.
const MORE_WORDS: &[(&str, u64)] = &[
    ("intrinsic", NATIVE),
    ("globalconfig", 0x4_4000),
    ("editinlineuse", 0x1400_0000),
    ("automated", AUTOMATED),
];

/// The arguments of a new property.
pub(super) struct NewProperty<'a> {
    pub name: &'a str,
    pub of: &'a ValueType,
    pub count: u32,
    pub array_enum: PackageIndex,
    pub flags: u64,
    pub category: &'a str,
    pub object_flags: ObjectFlags,
    pub comment: Option<&'a str>,
    /// Whether it is the element of a native array.
    pub is_of_native: bool,
}

impl<'a> NewProperty<'a> {
    /// One value without a category, as functions and arrays have them.
    pub fn plain(name: &'a str, of: &'a ValueType, flags: u64, object_flags: ObjectFlags) -> Self {
        let (array_enum, category) = (PackageIndex::NULL, "None");
        let (comment, is_of_native) = (None, false);
        Self {
            name,
            of,
            count: 1,
            array_enum,
            flags,
            category,
            object_flags,
            comment,
            is_of_native,
        }
    }
}

/// The texts in quotes behind a variable, a line each.
fn comments(syntax: &Syntax, declared: &DeclaredName) -> Option<String> {
    declared.comment.as_ref()?;
    let mut comments = String::new();
    let mut token = declared.name.token + 1;
    while !matches!(syntax.text(token), "," | ";" | "") {
        if syntax.token(token).kind == TokenKind::Text {
            comments.push_str(syntax.text(token).trim_matches('"'));
            comments.push('\n');
        }
        token += 1;
    }
    Some(comments)
}

impl ClassMaker<'_> {
    /// The variables of a declaration, with what their type declares.
    pub(super) fn variables(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        written: &Variables,
        fields: &mut Vec<usize>,
    ) {
        self.inline_type(source, around, &written.of, fields);
        let words = || written.modifiers.iter().map(|it| it.word.text.as_str());
        let has = |word: &str| words().any(|it| it.eq_ignore_ascii_case(word));
        let (mut flags, _) = self.word_flags(WordOf::Variable, words(), MORE_WORDS);
        let engine = self.engine();
        if engine == Engine::Ue2 && has("editinlinenotify") {
            flags |= 0x400_0000;
        }
        if has("localized") && engine != Engine::Ue1 {
            flags |= CONST;
        }
        if written.category.is_some() {
            flags |= EDIT;
        }
        if self.is_in_transient_struct(around) {
            flags |= INIT;
        }
        let category = match written.category.as_deref() {
            Some("") => around.name.clone(),
            Some(category) => category.to_owned(),
            None if has("automated") && engine == Engine::Ue2 => around.name.clone(),
            None => "None".to_owned(),
        };
        let of = self.symbols.resolve(&type_name(&written.of), around.class);
        let object_flags = self.access(has("private"), has("protected"));
        for declared in &written.declared {
            let (count, array_enum) =
                self.length(declared.dimension.as_ref(), &source.syntax, around.class);
            let comment = comments(&source.syntax, declared);
            let new = NewProperty {
                name: &declared.name.text,
                of: &of,
                count,
                array_enum,
                flags,
                category: &category,
                object_flags,
                comment: comment.as_deref(),
                is_of_native: false,
            };
            let row = self.property(around, &new);
            fields.push(row);
            self.variable_texts(around, (written, declared), row, flags);
        }
    }

    /// Whether a struct is declared that is not stored (UE3).
    fn is_in_transient_struct(&self, around: &DeclaredIn) -> bool {
        let ObjectRef::Export(row) = around.object.target() else { return false };
        match self.draft.script(row) {
            Some(ScriptObject::Struct(found)) => found.struct_flags & 0x8 != 0,
            _ => false,
        }
    }

    /// The flags of a variable's object by who may use it.
    fn access(&self, is_private: bool, is_protected: bool) -> ObjectFlags {
        match (self.engine(), is_private, is_protected) {
            (Engine::Ue2, true, _) => self.flags(0x0007_0080),
            (_, true, _) => self.flags(0x0007_0000),
            // UT2003's compiler has no flag of its own for it.
            (Engine::Ue2, _, true) if self.draft.versions().file() < 127 => self.flags(0x0007_0000),
            (Engine::Ue2, _, true) => self.flags(0x0007_0804),
            (Engine::Ue3, _, true) => ObjectFlags(self.flags(0x0007_0004).0 | 0x100),
            _ => self.flags(0x0007_0004),
        }
    }

    /// Declares the type that stands in a variable's declaration.
    pub(super) fn inline_type(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        of: &TypeSyntax,
        fields: &mut Vec<usize>,
    ) {
        match &of.kind {
            TypeKind::Enum(written) => fields.push(self.enum_object(around, written)),
            TypeKind::Struct(written) => self.struct_object(source, around, written, fields),
            TypeKind::Array(Some(inner)) => self.inline_type(source, around, inner, fields),
            _ => {}
        }
    }

    /// A parameter, result or local variable of a function.
    pub(super) fn local(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        declared: &DeclaredName,
        of: &ValueType,
        flags: u64,
    ) -> usize {
        let (count, array_enum) =
            self.length(declared.dimension.as_ref(), &source.syntax, around.class);
        let new = NewProperty {
            count,
            array_enum,
            ..NewProperty::plain(&declared.name.text, of, flags, self.flags(0x0007_0004))
        };
        self.property(around, &new)
    }

    /// A new property, and the one within an array.
    pub(super) fn property(&mut self, around: &DeclaredIn, new: &NewProperty<'_>) -> usize {
        let path = around.within(new.name);
        let (class, adds) = self.property_class(new.of);
        let row = self.draft.create(class, &path, around.object);
        let mut flags = new.flags;
        if self.needs_construction(new.of, 0) && flags & NATIVE == 0 && !new.is_of_native {
            flags |= NEEDS_CONSTRUCTION;
        }
        let is_local = self.lies_in_function(around.object);
        if let ValueType::Object(Some(class)) = new.of {
            let instanced = self.instanced_flags(*class);
            // Functions only get to know that they are edited where they stand.
            flags |= if is_local && self.is_ue3() { instanced & EDIT_INLINE } else { instanced };
        }
        if !is_local && self.has_components(new.of, 0) {
            flags |= HAS_COMPONENTS;
        }
        let category = self.draft.name(new.category);
        self.draft.objects[row].flags = new.object_flags;
        let inner = match new.of {
            ValueType::Array(inner) => {
                let inner = inner.as_deref().cloned().unwrap_or(ValueType::Int);
                let object = PackageIndex::export(row);
                let around = DeclaredIn { path, object, ..around.clone() };
                let of_elements = match self.draft.versions().file() {
                    EDITOR_ONLY_ELEMENTS.. => OF_ELEMENTS | EDITOR_ONLY,
                    _ => OF_ELEMENTS,
                };
                let inner_flags = if self.is_ue3() { new.flags & of_elements } else { 0 };
                let flags = self.flags(0x0007_0004);
                let is_of_native = self.is_ue3() && new.flags & NATIVE != 0;
                let new = NewProperty {
                    is_of_native,
                    ..NewProperty::plain(new.name, &inner, inner_flags, flags)
                };
                Some(PackageIndex::export(self.property(&around, &new)))
            }
            _ => None,
        };
        if let Some(comment) = new.comment.filter(|_| self.engine() == Engine::Ue2) {
            flags |= COMMENTED;
            if let Some(ScriptObject::Property(property)) = self.draft.script_mut(row) {
                property.comment = FString::new(comment);
            }
        }
        if let Some(ScriptObject::Property(property)) = self.draft.script_mut(row) {
            property.array_dim = new.count;
            property.array_enum = new.array_enum;
            property.property_flags = flags;
            property.category = category.into();
            property.class = match inner {
                Some(inner) => PropertyClass::One(inner),
                None => adds,
            };
        }
        row
    }

    /// Whether an object is a function, or lies in one.
    fn lies_in_function(&self, mut index: PackageIndex) -> bool {
        for _ in 0..4 {
            let ObjectRef::Export(row) = index.target() else { return false };
            if matches!(self.draft.script(row), Some(ScriptObject::Function(_))) {
                return true;
            }
            index = self.draft.objects.get(row).map_or(PackageIndex::NULL, |it| it.outer);
        }
        false
    }

    /// The flags of a variable for the class of its objects.
    fn instanced_flags(&self, class: ClassId) -> u64 {
        let chain = || self.symbols.chain(class).map(|it| self.symbols.class(it).name.as_str());
        match self.engine() {
            Engine::Ue2 => {
                let flags =
                    chain().find_map(|name| self.facts.class(name)).map_or(0, |it| it.flags);
                if flags & INSTANCED_CLASS != 0 { INSTANCED } else { 0 }
            }
            Engine::Ue3 if self.is_component(class) => COMPONENT,
            _ => 0,
        }
    }

    pub(in crate::make) fn is_component(&self, class: ClassId) -> bool {
        self.is_ue3()
            && self
                .symbols
                .chain(class)
                .any(|it| self.symbols.class(it).name.eq_ignore_ascii_case("Component"))
    }

    /// The class of a property of this type, and what that adds.
    pub(in crate::make) fn property_class(
        &mut self,
        of: &ValueType,
    ) -> (&'static str, PropertyClass) {
        let null = PackageIndex::NULL;
        match of {
            ValueType::Byte(id) => {
                let id = id.map_or(null, |id| self.enumeration(id));
                ("ByteProperty", PropertyClass::One(id))
            }
            ValueType::Int | ValueType::Void | ValueType::None => {
                ("IntProperty", PropertyClass::Plain)
            }
            ValueType::Bool => ("BoolProperty", PropertyClass::Plain),
            ValueType::Float => ("FloatProperty", PropertyClass::Plain),
            ValueType::Name => ("NameProperty", PropertyClass::Plain),
            ValueType::Text => ("StrProperty", PropertyClass::Plain),
            ValueType::Pointer => ("PointerProperty", PropertyClass::Plain),
            ValueType::Object(class) => {
                let of_class = |it: &ClassId| self.symbols.class(*it).is_interface;
                let kind = match class {
                    Some(class) if self.is_ue3() && of_class(class) => "InterfaceProperty",
                    Some(class) if self.is_component(*class) => "ComponentProperty",
                    _ => "ObjectProperty",
                };
                let class = class.map_or(null, |class| self.class_reference(class));
                (kind, PropertyClass::One(class))
            }
            ValueType::Class(class) => {
                let of = self.draft.import(&[("Core", "Core.Package"), ("Class", "Core.Class")]);
                let class = class.map_or(null, |class| self.class_reference(class));
                ("ClassProperty", PropertyClass::Two(of, class))
            }
            ValueType::Struct(id) => ("StructProperty", PropertyClass::One(self.structure(*id))),
            ValueType::Array(_) => ("ArrayProperty", PropertyClass::One(null)),
            ValueType::Map => ("MapProperty", PropertyClass::Two(null, null)),
            ValueType::Delegate(id) => {
                let function = id.map_or(null, |id: SymbolId| self.function(id));
                let name = crate::primitive::Name::new(0);
                let second = if self.is_ue3() { function } else { null };
                ("DelegateProperty", PropertyClass::Delegate(function, name, second))
            }
        }
    }
}
