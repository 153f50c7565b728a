//! Curves of objects.

use serde_json::{Value, json};
use unreal_packages::inspect::{Curve, CurveInterpolation, CurveKey, PackageValues};
use unreal_packages::package::Package;

use crate::failure::Result;

/// Keys that are sent of an object.
const MOST_KEYS: usize = 20_000;
/// Curves that are sent of an object.
const MOST_CURVES: usize = 1_000;
/// The interpolations, as keys number them here.
const INTERPOLATIONS: [CurveInterpolation; 4] = [
    CurveInterpolation::Linear,
    CurveInterpolation::Constant,
    CurveInterpolation::Cubic,
    CurveInterpolation::None,
];

/// Whether an object has curves.
pub(crate) fn are_in(package: &Package, row: usize) -> bool {
    package.values().curves(row).is_ok_and(|curves| !curves.is_empty())
}

/// The curves of an object: their paths and keys.
pub(crate) fn of(package: &Package, row: usize) -> Result<Value> {
    let curves = package.values().curves(row)?;
    let mut left = MOST_KEYS;
    let mut more = 0;
    let mut sent = Vec::new();
    for (at, Curve { path, keys }) in curves.into_iter().enumerate() {
        let count = if at < MOST_CURVES { keys.len().min(left) } else { 0 };
        left -= count;
        more += keys.len() - count;
        if count > 0 {
            let keys: Vec<_> = keys.iter().take(count).map(key).collect();
            sent.push(json!({ "path": path, "keys": keys }));
        }
    }
    let names = INTERPOLATIONS.map(CurveInterpolation::name);
    Ok(json!({ "curves": sent, "interpolations": names, "more": more }))
}

fn key(key: &CurveKey) -> Value {
    let mode = INTERPOLATIONS.iter().position(|one| *one == key.interpolation);
    json!([key.time, key.value, mode.unwrap_or_default(), key.arrive, key.leave])
}
