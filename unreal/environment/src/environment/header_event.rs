//! Functions in headers of native classes that call events of script.

use std::collections::HashSet;
use std::fmt::Write;

use super::cpp_name::identifier_part;
use super::cpp_names::CppPlace;
use super::header::{HeaderSource, line};
use super::{ClassInfo, FieldInfo, FieldType, FunctionInfo};

/// The events of a class that no class above declares, in the order of the package.
pub(super) fn thunks(class: &ClassInfo) -> impl Iterator<Item = &FunctionInfo> {
    class.functions.iter().filter(|function| function.is_event() && !function.overrides)
}

/// How values of a type are passed and set.
enum Passing {
    /// By value; the text that a return value begins with, if any.
    Value(Option<&'static str>),
    /// Strings and other types that own memory.
    Reference,
    /// A static array.
    Array,
}

impl Passing {
    fn of(field: &FieldInfo) -> Self {
        if !field.dimensions().is_empty() {
            return Self::Array;
        }
        match &field.field_type {
            FieldType::Str | FieldType::Array(_) | FieldType::Map(..) => Self::Reference,
            FieldType::Struct(_) | FieldType::Delegate | FieldType::Interface(_) => {
                Self::Value(None)
            }
            FieldType::Name => Self::Value(Some("NAME_None")),
            _ => Self::Value(Some("0")),
        }
    }
}

const OUT: u64 = 0x100;

impl HeaderSource<'_> {
    fn parameter_names(&self, event: &FunctionInfo) -> Vec<String> {
        let taken = ["Parms", &self.upper].map(str::to_owned);
        self.free_names(&event.parameters, HashSet::from(taken))
    }

    /// The struct that the parameters of an event are passed in.
    pub fn event_parameters(&mut self, class: &str, event: &FunctionInfo) {
        line!(self, "struct {class}_event{}_Parms\n{{", identifier_part(&event.name));
        for (field, name) in event.parameters.iter().zip(self.parameter_names(event)) {
            let text = self.declarator(field, &name, CppPlace::Parameter);
            line!(self, "    {text};");
        }
        line!(self, "}};");
    }

    /// The function that calls an event.
    pub fn event(&mut self, class: &str, event: &FunctionInfo) {
        let event_name = identifier_part(&event.name);
        let names = self.parameter_names(event);
        let (mut arguments, mut before, mut after) = (Vec::new(), String::new(), String::new());
        let mut returned = None;
        for (field, name) in event.parameters.iter().zip(&names) {
            let text = self.names.type_text(self.classes, element(field), CppPlace::Parameter, 0);
            let (passing, is_out) = (Passing::of(field), field.flags & OUT != 0);
            if field.is_return_value() {
                returned.get_or_insert((text, name));
                if let Passing::Value(Some(value)) = passing {
                    let _ = writeln!(before, "        Parms.{name}={value};");
                }
                continue;
            }
            let argument = match passing {
                Passing::Array => format!("{text}* {name}"),
                _ if is_out => format!("{text}& {name}"),
                Passing::Value(_) => format!("{text} {name}"),
                Passing::Reference => format!("const {text}& {name}"),
            };
            arguments.push(argument);
            let is_array = matches!(passing, Passing::Array);
            let copy = |to: &str, from: &str| match is_array {
                true => format!("        appMemcpy({to},{from},sizeof(Parms.{name}));\n"),
                false => format!("        {to}={from};\n"),
            };
            let inside = format!("Parms.{name}");
            before.push_str(&copy(&inside, name));
            if is_out {
                after.push_str(&copy(name, &inside));
            }
        }
        let result = returned.as_ref().map_or("void", |(text, _)| text);
        let upper = &self.upper;
        let call = format!("ProcessEvent(FindFunctionChecked({upper}_{event_name})");
        line!(self, "    {result} event{event_name}({})\n    {{", arguments.join(", "));
        if event.parameters.is_empty() {
            line!(self, "        {call},NULL);");
        } else {
            line!(self, "        {class}_event{event_name}_Parms Parms;");
            line!(self, "{before}        {call},&Parms);");
            self.text.push_str(&after);
        }
        if let Some((_, name)) = returned {
            line!(self, "        return Parms.{name};");
        }
        line!(self, "    }}");
    }
}

/// The type of an element of a static array, or of the value.
fn element(field: &FieldInfo) -> &FieldType {
    let mut inner = &field.field_type;
    while let FieldType::FixedArray(element, _) = inner {
        inner = element;
    }
    inner
}
