//! A pattern file for the hex editor ImHex: a type and what it contains, in one version.

mod fields;
mod ground;
mod pattern_text;

pub use ground::PatternGround;

use self::ground::helpers;
use self::pattern_text::PatternText;
use crate::archive::layout::Layout;
use crate::version::Versions;

/// The pattern of `layout` in one version, placed at the start of the file, of a format of one's own.
///
/// ```
/// use farchive::archive::print::imhex;
/// use farchive::{Archived, Versions};
///
/// #[derive(Archived, Default)]
/// struct Save {
///     names: Vec<String>,
///     #[since(2)]
///     coins: u16,
/// }
///
/// let pattern = imhex::pattern(Save::LAYOUT, &Versions::own(1));
/// assert!(pattern.contains("Array<Text> names;") && !pattern.contains("coins"));
/// ```
pub fn pattern(layout: &'static Layout, versions: &Versions) -> String {
    pattern_on(layout, versions, &PatternGround::default())
}

/// The same of a format that declares types by itself.
pub fn pattern_on(
    layout: &'static Layout,
    versions: &Versions,
    ground: &PatternGround<'_>,
) -> String {
    let mut pattern = PatternText::new(versions, ground);
    pattern.declare(layout, 0);
    let order = if versions.byte_order.is_big() { "big" } else { "little" };
    let name = (ground.identifier)(layout);
    let early: String = pattern.early.iter().map(|name| format!("using {name};\n")).collect();
    format!(
        "// {} in version {versions}, written by `{}`.\n\
         // Set the base address of the value in the last line.\n\
         #pragma endian {order}\n\n{}\n{early}{}{}{name} value @ 0x0;\n",
        layout.place_in_crate(),
        ground.program,
        ground.text,
        helpers(&pattern.text),
        pattern.text
    )
}
