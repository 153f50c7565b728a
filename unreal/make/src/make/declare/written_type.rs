//! Types as declarations write them.

use crate::compile::TypeName;
use crate::compile::syntax::{TypeKind, TypeSyntax, Word};

/// The written form of a type; the symbols resolve its names.
pub(super) fn type_name(written: &TypeSyntax) -> TypeName {
    let text = |word: &Word| word.text.clone();
    match &written.kind {
        TypeKind::Named(word) => TypeName::Named(text(word)),
        TypeKind::Class(word) => {
            TypeName::Class(word.as_ref().map_or_else(|| "Object".to_owned(), text))
        }
        TypeKind::Array(inner) => {
            TypeName::Array(inner.as_ref().map(|inner| Box::new(type_name(inner))))
        }
        TypeKind::Map => TypeName::Map,
        TypeKind::Delegate(path) => TypeName::Delegate(path.iter().map(text).collect()),
        TypeKind::Enum(written) => TypeName::Named(text(&written.name)),
        TypeKind::Struct(written) => TypeName::Named(text(&written.name)),
    }
}
