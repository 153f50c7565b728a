//! Where enums are declared: in a class, or in a struct of it.

use std::collections::HashMap;

use crate::compile::ClassId;
use crate::compile::syntax::{SyntaxItem, TypeKind, TypeSyntax};

use super::super::text::ClassSource;

/// The paths of enums by class and name in small letters.
#[derive(Debug, Clone, Default)]
pub(in crate::make) struct EnumPaths(HashMap<(ClassId, String), String>);

impl EnumPaths {
    /// Adds those of a class.
    pub fn add(&mut self, class: ClassId, source: &ClassSource) {
        self.items(class, source.name(), &source.syntax.items);
    }

    /// The path of an enum from its class on.
    pub fn get(&self, class: ClassId, name: &str) -> Option<&str> {
        self.0.get(&(class, name.to_ascii_lowercase())).map(String::as_str)
    }

    fn items(&mut self, class: ClassId, path: &str, items: &[SyntaxItem]) {
        for item in items {
            match item {
                SyntaxItem::Enum(written) => self.put(class, path, &written.name.text),
                SyntaxItem::Struct(written) => {
                    let path = format!("{path}.{}", written.name.text);
                    self.items(class, &path, &written.items);
                }
                SyntaxItem::Variables(written) => self.of_type(class, path, &written.of),
                _ => {}
            }
        }
    }

    fn of_type(&mut self, class: ClassId, path: &str, of: &TypeSyntax) {
        match &of.kind {
            TypeKind::Enum(written) => self.put(class, path, &written.name.text),
            TypeKind::Struct(written) => {
                let path = format!("{path}.{}", written.name.text);
                self.items(class, &path, &written.items);
            }
            TypeKind::Array(Some(inner)) => self.of_type(class, path, inner),
            _ => {}
        }
    }

    fn put(&mut self, class: ClassId, path: &str, name: &str) {
        let key = (class, name.to_ascii_lowercase());
        self.0.entry(key).or_insert_with(|| format!("{path}.{name}"));
    }
}
