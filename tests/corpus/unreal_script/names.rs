//! What names of constants and enum values stand for.

use super::declaration::Text;
use super::statement::Locals;
use std::collections::HashMap;

/// Names that a compiler replaces by values; all keys are folded.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Constants, with the tokens of their values. `arraycount(x)` and `enumcount(e)` count as constants.
    pub constants: HashMap<String, String>,
    /// Enum values, bare and behind their enum (`ecolor.red`); None where enums disagree.
    pub enums: HashMap<String, Option<u32>>,
}

impl Names {
    /// The names that one text declares.
    pub fn of(text: &Text) -> Self {
        let mut names = Self::default();
        names.add(text);
        names
    }

    /// Adds what a text declares; its constants replace those of the same name.
    pub fn add(&mut self, text: &Text) {
        for (name, value) in &text.constants {
            self.constants.insert(name.to_ascii_lowercase(), value.clone());
        }
        for (name, values) in &text.enums {
            self.add_enum(name, values);
        }
        self.add_array_sizes(&text.variables);
    }

    pub fn add_enum(&mut self, name: &str, values: &[String]) {
        let name = name.to_ascii_lowercase();
        for (value, number) in values.iter().zip(0..) {
            let value = value.to_ascii_lowercase();
            self.enums.insert(format!("{name}.{value}"), Some(number));
            let known = self.enums.entry(value).or_insert(Some(number));
            if *known != Some(number) {
                *known = None;
            }
        }
        self.constants.insert(format!("enumcount({name})"), values.len().to_string());
    }

    /// Adds `arraycount(x)` of the static arrays among variables or locals.
    pub fn add_array_sizes(&mut self, variables: &Locals) {
        for (name, kind) in variables {
            // `string[32]` is a type of UE1, not an array.
            if let Some((_, size)) = kind.strip_suffix(']').and_then(|kind| kind.rsplit_once('['))
                && (!kind.starts_with("string[") || kind.matches('[').count() == 2)
            {
                self.constants.insert(format!("arraycount({name})"), size.to_owned());
            }
        }
    }
}
