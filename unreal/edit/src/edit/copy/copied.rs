//! The result of copying.

/// The objects that were copied, reused, imported and renamed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Copied {
    /// The row of the object, of several that of the first.
    pub row: usize,
    /// The rows of all objects that were asked for, in that order.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rows: Vec<usize>,
    /// The file version of the other package, where it was converted on the way.
    #[cfg_attr(feature = "serde", serde(default))]
    pub converted_from: Option<u32>,
    /// The paths of all objects that are new, in the order of the table.
    pub objects: Vec<String>,
    /// The paths of objects that were there already, say the same, and are used instead of copies.
    pub reused: Vec<String>,
    /// Their rows: objects of several classes may have one path.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::edit) reused_rows: Vec<usize>,
    /// The paths of objects of the source package that are imported now.
    pub imported: Vec<String>,
    /// New objects that are called otherwise than in the source package, each with its name there: another
    /// object has that name, or the caller chose this one.
    pub renamed: Vec<(String, String)>,
    /// Values that originals store of the level around them and copies lack, as `Lamp.Region`: the
    /// zone and volume in which an actor stands, and what light was computed. The engine and the editor make
    /// it anew.
    pub dropped: Vec<String>,
}
