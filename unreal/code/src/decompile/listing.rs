//! Notes beside a listing of bytecode: the declaration of its function, and the meaning of numbers in it.

use super::expression::conversion_between;
use super::function;
use super::scripts::Scripts;
use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::script::{Line, ScriptItem};

/// The declaration of a function; `None` for another object.
pub(super) fn signature(scripts: &Scripts, index: PackageIndex) -> Result<Option<String>> {
    if scripts.function(index).is_none() {
        return Ok(None);
    }
    function::signature(scripts, index).and_then(|it| scripts.finish(it)).map(Some)
}

/// The meaning of a token in the code of an object, beside its name.
pub(super) fn meaning(scripts: &Scripts, index: PackageIndex, line: &Line) -> Option<String> {
    scripts.object(index)?;
    let byte = match line.operands.first() {
        Some(ScriptItem::Byte(byte)) => Some(*byte),
        _ => None,
    };
    let low = match (line.name, byte) {
        ("Native", _) => None,
        ("ExtendedNative", Some(low)) => Some(low),
        ("Conversion", _) => return converts(scripts, line.token),
        ("PrimitiveCast", Some(cast)) => return converts(scripts, cast),
        _ => return None,
    };
    let number = scripts.native_number(line.token, low);
    Some(match scripts.native(number) {
        Some(call) => format!("{number} {}", call.name),
        None => number.to_string(),
    })
}

fn converts(scripts: &Scripts, cast: u8) -> Option<String> {
    let (from, to) = conversion_between(cast, scripts.dialect)?;
    Some(format!("{from} to {to}"))
}
