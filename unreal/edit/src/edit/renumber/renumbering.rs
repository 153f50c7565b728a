//! Which rows of the tables go where.

/// The rows of the tables in their new order, for [`Edit::renumber`](crate::edit::Edit::renumber).
///
/// Old rows that are not listed are dropped; nothing may refer to them, except that references to a
/// dropped name `None` go to the last `None` there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Renumbering {
    /// The name table: old rows, or `None` for a new row of the text "None".
    pub names: Vec<Option<usize>>,
    /// The import table: old rows.
    pub imports: Vec<usize>,
    /// The export table: old rows, or `None` for a null export.
    pub exports: Vec<Option<usize>>,
}
