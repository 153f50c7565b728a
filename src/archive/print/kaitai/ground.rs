//! What definitions for Kaitai Struct begin with: the words of a format.

use super::super::StoredAs;
use super::super::expression::Fact;

/// What a format itself says of its types and functions, for definitions of types that are made of them.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionGround<'a> {
    /// The attributes of types by their names in Rust: `("Index", "type: index")`; a line for each attribute.
    pub attributes: &'a [(&'a str, &'a str)],
    /// Declarations of types, with the indentation that they have below `types:`, by name.
    pub types: &'a [(&'a str, &'a str)],
    /// Types that store their parameter and nothing else.
    pub transparent: &'a [&'a str],
    /// What functions of the format's own store, by the path that stands in `with`.
    pub functions: &'a [(&'a str, StoredAs<'a>)],
    /// Known values of words in conditions.
    pub facts: &'a [Fact<'a>],
    /// The attribute of the count before lists, and what its number is called behind its name.
    pub count: (&'a str, &'a str),
}

/// That of a format of one's own: counts of four bytes.
impl Default for DefinitionGround<'_> {
    fn default() -> Self {
        Self {
            attributes: &[],
            types: &[],
            transparent: &[],
            functions: &[],
            facts: &[],
            count: ("type: u4", ""),
        }
    }
}

impl DefinitionGround<'_> {
    /// The attributes of a type that the format itself knows.
    pub(super) fn of_type(&self, name: &str) -> Option<Vec<String>> {
        let (_, lines) = self.attributes.iter().find(|(known, _)| *known == name)?;
        Some(lines.lines().map(str::to_owned).collect())
    }
}
