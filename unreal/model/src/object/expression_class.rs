//! Classes of expressions in materials of UE3 and UE4, whose value is the same for every vertex and pixel.

/// Expressions nest at most so deep: far more than any material does.
pub(super) const DEEPEST: u32 = 64;
/// The prefix of all names of expression classes.
const PREFIX: &str = "FMaterialUniformExpression";

/// The name of an expression class behind the prefix of all of them.
pub(super) fn kind(class: &str) -> Option<&str> {
    let head = class.get(..PREFIX.len())?;
    class.get(PREFIX.len()..).filter(|_| head.eq_ignore_ascii_case(PREFIX))
}
