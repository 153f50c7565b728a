//! Classes of expressions in materials of UE3 and UE4, whose value is the same for every vertex and pixel.

/// Expressions nest at most so deep: far more than any material does.
pub(super) const DEEPEST: u32 = 64;
/// What the names of all classes of expressions start with.
const PREFIX: &str = "FMaterialUniformExpression";

/// What a class of expressions is called behind what all of them start with.
pub(super) fn kind(class: &str) -> Option<&str> {
    let head = class.get(..PREFIX.len())?;
    class.get(PREFIX.len()..).filter(|_| head.eq_ignore_ascii_case(PREFIX))
}
