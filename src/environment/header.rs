//! C++ headers of native classes, as the engines' compilers write them with `-make -h`.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use super::classes::DEEPEST;
use super::{ClassInfo, Classes, FieldInfo, FieldType, FunctionInfo, StructInfo};

/// Words that C++ keeps for itself and script does not.
const KEYWORDS: &str = "\
    alignas and asm auto bool catch char const delete double explicit export extern friend \
    inline long mutable namespace new not or private protected public register short signed \
    sizeof template this throw try typedef typename union unsigned using virtual void volatile \
    wchar_t xor";

impl Classes {
    /// A C++ header for a package: its enums, structs, native classes with their properties in the order
    /// of memory, and the parameters of native functions.
    ///
    /// Types have the engine's names (`INT`, `FName`, `TArray`); classes that derive from `Actor` begin
    /// with `A`, others with `U`, structs with `F`. Sizes that are known are checked where
    /// `CHECK_LAYOUTS` is defined, for programs of 32 bits.
    pub fn cpp_header(&self, package: &str) -> String {
        let mut header =
            HeaderSource { classes: self, package, text: String::new(), done: HashSet::new() };
        header.write();
        header.text
    }
}

struct HeaderSource<'a> {
    classes: &'a Classes,
    package: &'a str,
    text: String,
    /// What was written or has begun to be: paths in lower case.
    done: HashSet<String>,
}

/// Appends a line; writing to a String can't fail.
macro_rules! line {
    ($header:expr, $($arg:tt)*) => {{ let _ = writeln!($header.text, $($arg)*); }};
}

impl<'a> HeaderSource<'a> {
    fn is_own(&self, package: &str) -> bool {
        package.eq_ignore_ascii_case(self.package)
    }

    fn own_structs(&self) -> Vec<&'a StructInfo> {
        self.classes.structs().filter(|it| self.is_own(&it.package)).collect()
    }

    fn own_classes(&self) -> Vec<&'a ClassInfo> {
        let native = |class: &&ClassInfo| class.native && self.is_own(&class.package);
        self.classes.iter().filter(native).collect()
    }

    fn write(&mut self) {
        let classes = self.classes;
        let guard = format!("{}_CLASSES_H", identifier(self.package).to_ascii_uppercase());
        line!(self, "// Classes of {}, generated from the package.", identifier(self.package));
        line!(self, "#ifndef {guard}\n#define {guard}\n\n#pragma pack(push, 4)\n");
        self.declare_classes();
        for enumeration in classes.enums() {
            if self.is_own(root(&enumeration.path)) {
                let name = identifier(last(&enumeration.path));
                line!(self, "enum {name}\n{{");
                for (number, value) in enumeration.values.iter().enumerate() {
                    line!(self, "    {} = {number},", identifier(value));
                }
                line!(self, "    {name}_COUNT = {}\n}};\n", enumeration.values.len());
            }
        }
        for structure in self.own_structs() {
            self.structure(structure, 0);
        }
        for class in self.own_classes() {
            self.class(class, 0);
        }
        line!(self, "#pragma pack(pop)\n");
        self.checks();
        line!(self, "#endif");
    }

    /// Names of the classes, so that their order does not matter.
    fn declare_classes(&mut self) {
        let own = self.own_classes().into_iter();
        let names: BTreeSet<String> = own.map(|class| self.class_name(&class.path())).collect();
        for name in names {
            line!(self, "class {name};");
        }
        line!(self, "");
    }

    /// A struct, after those that it holds and derives from.
    fn structure(&mut self, structure: &'a StructInfo, depth: usize) {
        if depth > DEEPEST || !self.done.insert(structure.full_path().to_ascii_lowercase()) {
            return;
        }
        let held = structure.fields.iter().filter_map(|field| field.field_type.held_struct());
        let needed: Vec<&str> = structure.parent.as_deref().into_iter().chain(held).collect();
        self.structures_first(needed, depth);
        let parent =
            structure.parent.as_ref().map(|path| format!(" : public {}", struct_name(path)));
        line!(self, "struct {}{}\n{{", struct_name(&structure.path), parent.unwrap_or_default());
        self.fields(structure.fields.iter().map(|field| (field, String::new())));
        line!(self, "}};\n");
    }

    /// Fields in their order. Bools share a word; what is left of it is filled, since some compilers would
    /// put the next byte there.
    fn fields<'f>(&mut self, fields: impl Iterator<Item = (&'f FieldInfo, String)>) {
        let mut bools = 0;
        for (field, remark) in fields {
            if field.field_type == FieldType::Bool && field.dimension == 1 {
                bools = bools % 32 + 1;
            } else {
                self.fill(bools);
                bools = 0;
            }
            self.field(field, &remark);
        }
        self.fill(bools);
    }

    fn fill(&mut self, bools: u32) {
        if !bools.is_multiple_of(32) {
            line!(self, "    BITFIELD :{};", 32 - bools % 32);
        }
    }

    fn structures_first(&mut self, paths: Vec<&str>, depth: usize) {
        for path in paths {
            if let Some(structure) = self.classes.structure(path)
                && self.is_own(&structure.package)
            {
                self.structure(structure, depth + 1);
            }
        }
    }

    /// A native class, after its parent.
    fn class(&mut self, class: &'a ClassInfo, depth: usize) {
        let path = class.path();
        if depth > DEEPEST || !self.done.insert(path.to_ascii_lowercase()) {
            return;
        }
        let parent = class.parent.as_ref().and_then(|parent| self.classes.get(parent));
        if let Some(parent) = parent.filter(|parent| self.is_own(&parent.package)) {
            self.class(parent, depth + 1);
        }
        let name = self.class_name(&path);
        let layout = self.classes.layout(&path).unwrap_or_default();
        let known = if layout.complete { "" } else { " as far as known" };
        for function in class.functions.iter().filter(|function| function.is_native()) {
            self.parameters(&name, function);
        }
        line!(self, "// {path}: {} bytes{known}.", layout.size);
        let base = class.parent.as_ref().map(|path| format!(" : public {}", self.class_name(path)));
        line!(self, "class {name}{}\n{{\npublic:", base.unwrap_or_default());
        let own = layout.fields.iter().filter(|placed| placed.declared_in == path);
        self.fields(own.map(|placed| {
            let bit = placed.bit.map(|bit| format!(", bit {bit}")).unwrap_or_default();
            (&placed.field, format!(" // {:#x}{bit}", placed.offset))
        }));
        for function in class.functions.iter().filter(|function| function.is_native()) {
            let (name, number) = (identifier(&function.name), function.native_index);
            let number = if number > 0 { format!(" // native {number}") } else { String::new() };
            line!(self, "    DECLARE_FUNCTION(exec{name});{number}");
        }
        line!(self, "}};\n");
    }

    fn parameters(&mut self, class: &str, function: &FunctionInfo) {
        line!(self, "struct {class}_exec{}_Parms\n{{", identifier(&function.name));
        for field in &function.parameters {
            // A bool is a word of its own among parameters.
            match (&field.field_type, field.dimension) {
                (FieldType::Bool, 1) => line!(self, "    UBOOL {};", identifier(&field.name)),
                _ => self.field(field, ""),
            }
        }
        line!(self, "}};\n");
    }

    fn field(&mut self, field: &FieldInfo, remark: &str) {
        let (name, count) = (identifier(&field.name), field.dimension);
        let mut inner = &field.field_type;
        let mut dimensions = String::new();
        if count > 1 {
            let _ = write!(dimensions, "[{count}]");
        }
        while let FieldType::FixedArray(element, count) = inner {
            let _ = write!(dimensions, "[{}]", (*count).max(1));
            inner = element;
        }
        match inner {
            FieldType::Bool if dimensions.is_empty() => {
                line!(self, "    BITFIELD {name}:1;{remark}")
            }
            FieldType::FixedString(size) => {
                line!(self, "    ANSICHAR {name}{dimensions}[{}];{remark}", (*size).max(1));
            }
            inner => {
                let text = self.type_name(inner, 0);
                line!(self, "    {text} {name}{dimensions};{remark}");
            }
        }
    }

    fn type_name(&self, field_type: &FieldType, depth: usize) -> String {
        if depth > DEEPEST {
            return "void*".to_owned();
        }
        match field_type {
            FieldType::Byte(_) => "BYTE".to_owned(),
            FieldType::Int => "INT".to_owned(),
            FieldType::Bool => "UBOOL".to_owned(),
            FieldType::Float => "FLOAT".to_owned(),
            FieldType::Object(path) => format!("class {}*", self.class_name(path)),
            FieldType::Class(_) => "class UClass*".to_owned(),
            FieldType::Interface(path) => {
                format!("TScriptInterface<class I{}>", identifier(last(path)))
            }
            FieldType::Name => "FName".to_owned(),
            FieldType::Str => "FString".to_owned(),
            FieldType::Delegate => "FScriptDelegate".to_owned(),
            FieldType::Struct(path) => format!("struct {}", struct_name(path)),
            FieldType::Array(inner) | FieldType::FixedArray(inner, _) => {
                format!("TArray<{}>", self.type_name(inner, depth + 1))
            }
            FieldType::Map(key, value) => {
                let key = self.type_name(key, depth + 1);
                format!("TMap<{key}, {}>", self.type_name(value, depth + 1))
            }
            _ => "void*".to_owned(),
        }
    }

    /// The name of a class in C++: with `A` if it is an actor.
    fn class_name(&self, path: &str) -> String {
        let is_actor = |name: &str| name.eq_ignore_ascii_case("Actor");
        let chain = self.classes.chain(path);
        let parent = chain.last().and_then(|class| class.parent.as_deref());
        let actor = is_actor(last(path))
            || chain.iter().any(|class| is_actor(&class.name))
            || parent.is_some_and(|parent| is_actor(last(parent)));
        format!("{}{}", if actor { 'A' } else { 'U' }, identifier(last(path)))
    }

    /// The compiler checks the sizes that were computed.
    fn checks(&mut self) {
        line!(self, "#ifdef CHECK_LAYOUTS");
        let classes = self.classes;
        for structure in self.own_structs() {
            if let Some((size, true)) = classes.struct_size(&structure.full_path()) {
                let name = struct_name(&structure.path);
                // An empty struct takes a byte in C++ all the same.
                if size > 0 {
                    line!(self, "static_assert(sizeof(struct {name}) == {size}, \"{name}\");");
                }
            }
        }
        for class in self.own_classes() {
            let layout = classes.layout(&class.path()).unwrap_or_default();
            if layout.complete && layout.size > 0 {
                let (name, size) = (self.class_name(&class.path()), layout.size);
                line!(self, "static_assert(sizeof(class {name}) == {size}, \"{name}\");");
            }
        }
        line!(self, "#endif\n");
    }
}

impl FieldType {
    /// The struct that stands in the memory of the field itself.
    fn held_struct(&self) -> Option<&str> {
        match self {
            Self::Struct(path) => Some(path),
            Self::FixedArray(inner, _) => inner.held_struct(),
            _ => None,
        }
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn root(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

fn struct_name(path: &str) -> String {
    format!("F{}", identifier(last(path)))
}

/// A name that C++ takes: a package may hold any text.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut text: String = name.chars().map(plain).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    if KEYWORDS.split(' ').any(|word| word == text) {
        text.push('_');
    }
    text
}
