//! What functions of a format's own store, for other programs.

/// What a function of a format's own stores: the path of the function stands in `with`.
#[derive(Debug, Clone, Copy)]
pub enum StoredAs<'a> {
    /// As the type itself does; what it does beside that is nothing to other programs.
    AsItsType,
    /// A count in four bytes, then the elements.
    Counted,
    /// Something that the other program calls so: attributes of Kaitai Struct, a line for each; a type of ImHex.
    Named(&'a str),
}

impl StoredAs<'_> {
    /// What the function of this path stores.
    pub(super) fn of<'a>(functions: &[(&str, StoredAs<'a>)], path: &str) -> Option<StoredAs<'a>> {
        functions.iter().find(|(known, _)| *known == path).map(|(_, stored)| *stored)
    }
}
