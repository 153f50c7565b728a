//! Classes, structs and enums in headers of native classes.

use std::collections::HashSet;
use std::fmt::Write;

use super::classes::DEEPEST;
use super::cpp_name::{free_identifier, identifier, identifier_part, macro_value};
use super::cpp_names::CppPlace;
use super::header::{HeaderSource, declaring_class, line};
use super::header_event::thunks;
use super::{ClassInfo, FieldInfo, FieldType, StructInfo};

/// Flags that `DECLARE_CLASS` names, in its order.
const CLASS_FLAGS: &[(u32, &str)] =
    &[(0x8, "Transient"), (0x4, "Config"), (0x800, "NativeReplication")];

impl<'a> HeaderSource<'a> {
    /// A native class with what it declares, behind the structs that it holds.
    pub fn class(&mut self, class: &'a ClassInfo) {
        let path = class.path();
        let fields = class
            .fields
            .iter()
            .chain(class.functions.iter().flat_map(|function| &function.parameters));
        let held: Vec<&str> = fields.filter_map(|field| field.field_type.named_struct()).collect();
        self.gate(class.is_noexport());
        for enumeration in &class.enums {
            self.enumeration(enumeration);
        }
        let constants = self.names.constants(&path).to_vec();
        for (name, (_, value)) in constants.iter().zip(&class.constants) {
            match macro_value(value) {
                Some(value) => line!(self, "#define {name} {value}"),
                None => {
                    line!(self, "// {name} is left out: C++ does not take its value in a macro.")
                }
            }
        }
        line!(self, "");
        let own = class.structs.iter().map(String::as_str);
        self.structures(own.chain(held).collect(), 0);
        self.gate(class.is_noexport());
        let name = self.class_name(&path);
        for event in thunks(class) {
            self.event_parameters(&name, event);
        }
        self.class_itself(class, &path, &name);
    }

    fn class_itself(&mut self, class: &ClassInfo, path: &str, name: &str) {
        let (classes, upper) = (self.classes, self.upper.clone());
        if !classes.is_rooted(path) {
            line!(
                self,
                "// A class above is not known: prefix and layout of {name} may be others."
            );
        }
        let base = class.parent.as_ref().map(|parent| self.class_name(parent));
        let derived = base.as_ref().map(|base| format!(" : public {base}")).unwrap_or_default();
        line!(self, "class {upper}_API {name}{derived}\n{{\npublic:");
        let members = self.member_names(class);
        self.members(&class.fields, &members);
        for function in class.functions.iter().filter(|function| function.is_native()) {
            line!(self, "    DECLARE_FUNCTION(exec{});", identifier_part(&function.name));
        }
        for event in thunks(class) {
            self.event(name, event);
        }
        let mut flags = "0".to_owned();
        for (_, flag) in CLASS_FLAGS.iter().filter(|(bit, _)| class.flags & bit != 0) {
            let _ = write!(flags, "|CLASS_{flag}");
        }
        let base = base.unwrap_or_else(|| name.to_owned());
        let package = identifier(&class.package);
        line!(self, "    DECLARE_CLASS({name},{base},{flags},{package})");
        let within = class
            .within
            .as_deref()
            .filter(|_| classes.engine.is_some_and(|engine| engine.declares_outer_classes()));
        if let Some(within) = within.filter(|it| !it.eq_ignore_ascii_case("Core.Object")) {
            line!(self, "    DECLARE_WITHIN({})", self.class_name(within));
        }
        self.last_lines(class, name);
        line!(self, "}};\n\n");
    }

    /// Writes the parts that are made by hand: the file that a class's own header is, or the lines of its source.
    fn last_lines(&mut self, class: &ClassInfo, name: &str) {
        let file = format!("{name}.h");
        if self.files.iter().any(|known| known.eq_ignore_ascii_case(&file)) {
            line!(self, "    #include \"{file}\"");
            return;
        }
        let Some(text) = &class.cpp_text else {
            line!(self, "    NO_DEFAULT_CONSTRUCTOR({name})");
            return;
        };
        line!(self, "#ifndef NO_CPPTEXT\n{}\n#else", text.trim_end());
        line!(self, "    NO_DEFAULT_CONSTRUCTOR({name})\n#endif");
    }

    fn enumeration(&mut self, path: &str) {
        let Some(enumeration) = self.classes.enumeration(path) else { return };
        let values = self.names.enum_values(path).to_vec();
        line!(self, "enum {}\n{{", self.names.enumeration(path));
        for (at, value) in values.iter().enumerate() {
            line!(self, "    {value:<24}={},", enumeration.number(at));
        }
        line!(self, "}};");
    }

    /// Structs of the package that are not there yet, each behind those that it holds.
    fn structures(&mut self, paths: Vec<&str>, depth: usize) {
        for path in paths {
            if depth <= DEEPEST
                && let Some(structure) = self.classes.structure(path)
                && self.is_own(&structure.package)
                && self.done.insert(structure.full_path().to_ascii_lowercase())
            {
                self.structure(structure, depth);
            }
        }
    }

    fn structure(&mut self, structure: &'a StructInfo, depth: usize) {
        let held = structure.fields.iter().filter_map(|field| field.field_type.named_struct());
        let parent = structure.parent.as_deref();
        self.structures(parent.into_iter().chain(held).collect(), depth + 1);
        let path = structure.full_path();
        let declaring = self.classes.get(&declaring_class(&path));
        self.gate(declaring.is_some_and(|class| class.native && class.is_noexport()));
        let (name, upper) = (self.names.structure(&path), self.upper.clone());
        let derived = parent.map(|parent| format!(" : public {}", self.names.structure(parent)));
        line!(self, "struct {upper}_API {name}{}\n{{", derived.unwrap_or_default());
        let members = self.free_names(&structure.fields, HashSet::from([name]));
        self.members(&structure.fields, &members);
        line!(self, "}};\n");
    }

    /// The names of a class's members, in their order.
    pub fn member_names(&self, class: &ClassInfo) -> Vec<String> {
        let mut taken = HashSet::from([self.class_name(&class.path())]);
        for function in &class.functions {
            let name = identifier_part(&function.name);
            taken.extend([format!("exec{name}"), format!("event{name}")]);
        }
        self.free_names(&class.fields, taken)
    }

    /// Names of members or parameters: each once, and none that is the type of another.
    pub fn free_names(&self, fields: &[FieldInfo], mut taken: HashSet<String>) -> Vec<String> {
        let types = fields.iter().filter_map(|field| field.field_type.named_struct());
        taken.extend(types.map(|path| self.names.structure(path)));
        fields.iter().map(|field| free_identifier(identifier(&field.name), &mut taken)).collect()
    }

    /// Members in their order. GCC begins a new word where MSVC does: at the first of all, the first bool of
    /// a run and the first behind one.
    fn members(&mut self, fields: &[FieldInfo], names: &[String]) {
        let mut before = None;
        for (field, name) in fields.iter().zip(names) {
            let is_bit = field.is_bit();
            let pack = if before == Some(is_bit) { "" } else { " GCC_PACK(4)" };
            before = Some(is_bit);
            let text = self.declarator(field, name, CppPlace::Member);
            line!(self, "    {text}{pack};");
        }
    }

    /// Type, name and dimensions: `BITFIELD bHidden:1`, `FLOAT Weights[8]`.
    pub fn declarator(&self, field: &FieldInfo, name: &str, place: CppPlace) -> String {
        if field.is_bit() && place == CppPlace::Member {
            return format!("BITFIELD {name}:1");
        }
        let text = match &field.field_type {
            FieldType::FixedString(_) => "ANSICHAR".to_owned(),
            other => self.names.type_text(self.classes, other, place, 0),
        };
        let dimensions: String =
            field.dimensions().iter().map(|count| format!("[{count}]")).collect();
        format!("{text} {name}{dimensions}")
    }
}

impl FieldInfo {
    /// Whether it is a bit that shares its word with others.
    fn is_bit(&self) -> bool {
        self.field_type == FieldType::Bool && self.dimension == 1
    }

    /// The sizes of the static arrays in C++.
    pub(super) fn dimensions(&self) -> Vec<u32> {
        let mut dimensions: Vec<u32> = Vec::new();
        if self.dimension > 1 {
            dimensions.push(self.dimension);
        }
        let count = |count: &i32| u32::try_from(*count).unwrap_or(0).max(1);
        let mut inner = &self.field_type;
        while let FieldType::FixedArray(element, size) = inner {
            dimensions.push(count(size));
            inner = element;
        }
        if let FieldType::FixedString(size) = inner {
            dimensions.push(count(size));
        }
        dimensions
    }
}

impl FieldType {
    /// The struct that a type holds or has arrays of.
    fn named_struct(&self) -> Option<&str> {
        match self {
            Self::Struct(path) => Some(path),
            Self::FixedArray(inner, _) | Self::Array(inner) => inner.named_struct(),
            _ => None,
        }
    }
}
