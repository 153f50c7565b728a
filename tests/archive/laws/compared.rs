//! The law of comparing, for every type: whatever a save keeps is a difference, and stands in the canonical text.

use unreal_packages::archive::{Object, RecordValue, Role};
use unreal_packages::compare::ComparedValue;
use unreal_packages::{Annotate, Saver, Versions};

use crate::common::agreement::{Make, context, loader};

/// Fields of a value that are changed.
const CHANGED: usize = 24;

/// The law for what these bytes begin with: each field is changed by one, in turn. Where the changed value is one
/// and is saved otherwise than the first, comparing shows it; a field that saving makes anew comes back as it was.
pub fn law(make: Make, bytes: &[u8], versions: &Versions) -> Result<(), String> {
    let mut value = make();
    let mut load = loader(bytes, versions);
    value.serialize_dyn(&mut load).map_err(|error| error.to_string())?;
    // A header says its versions itself.
    let known = unreal_packages::Archive::versions(&load).clone();
    let mut saver = Saver::new(known.clone()).with_context(context(bytes));
    let mut annotate = Annotate::new(&mut saver);
    value.serialize_dyn(&mut annotate).map_err(|error| error.to_string())?;
    let records = annotate.into_records();
    let saved = saver.into_bytes();
    let before = ComparedValue::new(&mut *value, &known, &context(bytes));
    let every = records.len().div_ceil(CHANGED).max(1);
    for record in records.iter().step_by(every) {
        let mut changed = bytes.to_vec();
        let at = match known.byte_order.is_big() && record.end - record.start <= 8 {
            true => record.end - 1,
            false => record.start,
        };
        let byte = &mut changed[at as usize];
        *byte = byte.wrapping_add(1);
        let mut other = make();
        let mut load = loader(&changed, versions);
        if other.serialize_dyn(&mut load).is_err()
            || *unreal_packages::Archive::versions(&load) != known
        {
            continue;
        }
        let mut saver = Saver::new(known.clone()).with_context(context(&changed));
        if other.serialize_dyn(&mut saver).is_err() || saver.bytes() == saved {
            continue;
        }
        let after = ComparedValue::new(&mut *other, &known, &context(&changed));
        let shown = (before.differences(&after).is_empty(), before.texts() == after.texts());
        // A text without characters, and a number in more bytes than it needs, are other forms of the same value.
        let is_form = record.role == Some(Role::Length) && record.value == RecordValue::Integer(0)
            || same_numbers(&*value, &*other);
        if shown != (false, false) && !is_form {
            return Err(format!(
                "{record:?} is no difference, or not in the text: {shown:?}\n  {value:?}\n  {other:?}"
            ));
        }
    }
    Ok(())
}

/// Whether two values differ by nothing but how many bytes their compact indices take.
fn same_numbers(one: &dyn Object, other: &dyn Object) -> bool {
    let text = |value: &dyn Object| {
        let text = format!("{value:?}");
        let mut parts = text.split(" as [");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + part.split_once(']').map_or(part, |(_, rest)| rest))
    };
    text(one) == text(other)
}
