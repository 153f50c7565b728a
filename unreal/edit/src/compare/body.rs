//! Bodies: properties, code, and the class's own data.

use super::records::{BASE, compare, records_of};
use super::{Difference, Side, code, properties, whole_names};
use crate::archive::{Archived, Saver};
use crate::object::Body;
use crate::version::UnrealVersions;

/// Whether both packages are of one version: another may have another form for the same value.
pub(super) fn same_versions(old: &Side<'_>, new: &Side<'_>) -> bool {
    let versions = |side: &Side<'_>| {
        let versions = side.package.versions();
        (versions.file(), versions.ue4(), versions.ue5())
    };
    versions(old) == versions(new)
}

/// Differences of two bodies.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    (before, after): (usize, usize),
) -> Vec<Difference> {
    match (common_form(old, before), common_form(new, after)) {
        (Some(a), Some(b)) if a == b => return Vec::new(),
        (Some(_), Some(_)) => {}
        // Not decoded on one side: the bytes as they stand.
        _ => return raw(old, new, (before, after)),
    }
    let body = |side: &Side<'_>, row| side.decoded(row).map(|decoded| decoded.body);
    let (Some(mut old_body), Some(mut new_body)) = (body(old, before), body(new, after)) else {
        return raw(old, new, (before, after));
    };
    let whole = whole_names::differences(old, new, [&mut old_body, &mut new_body]);
    let bodies = [(before, &mut old_body), (after, &mut new_body)];
    let mut found = properties::differences(old, new, bodies);
    let bodies = [(before, &mut old_body), (after, &mut new_body)];
    found.extend(code::differences(old, new, bodies));
    let (a, b) = (records_of(old, &mut old_body), records_of(new, &mut new_body));
    let (mut fields, data) = compare(&a, &b, |_| false);
    if !old.has_plain_code && fields.iter().any(code::is_item) {
        let hunks = code::source_differences(old, new, (before, after));
        if !hunks.is_empty() {
            fields.retain(|field| !code::is_item(field));
            found.extend(hunks);
        }
    }
    found.extend(fields.into_iter().map(Difference::Field));
    found.extend(data);
    found.extend(whole.into_iter().map(Difference::Field));
    // Pairs of maps in another order say the same.
    if found.is_empty() && same_versions(old, new) && !(a.is_keyed && b.is_keyed) {
        found.push(Difference::Form);
    }
    found
}

/// A decoded body as bytes that are the same on both sides when it says the same.
pub(super) fn common_form(side: &Side<'_>, row: usize) -> Option<Vec<u8>> {
    form(side, row, None)
}

/// The same for an object that may be called otherwise: its own name is no difference.
pub(super) fn neutral_form(side: &Side<'_>, row: usize) -> Option<Vec<u8>> {
    let name = side.package.exports().entries().get(row)?.object_name;
    form(side, row, Some(name.index.value()))
}

fn form(side: &Side<'_>, row: usize, own_name: Option<i32>) -> Option<Vec<u8>> {
    let body = side.decoded(row).filter(|decoded| !decoded.body.is_opaque())?.body;
    form_of(side, row, body, own_name)
}

/// The same of a body that the caller has decoded.
pub(super) fn form_of(
    side: &Side<'_>,
    row: usize,
    mut body: Body,
    own_name: Option<i32>,
) -> Option<Vec<u8>> {
    side.renumber(&mut body, own_name)?;
    let size = side.package.body_range(row).1;
    let mut saver = Saver::new(side.package.versions().of_bodies())
        .at(BASE)
        .with_capacity(usize::try_from(size).unwrap_or(0) + 64)
        .with_context(side.context.clone());
    body.serialize(&mut saver).ok()?;
    Some(saver.into_bytes())
}

/// Bodies that are not decoded on both sides, byte by byte.
fn raw(old: &Side<'_>, new: &Side<'_>, (before, after): (usize, usize)) -> Vec<Difference> {
    let written = |side: &Side<'_>, row: usize| {
        // What is decoded may have been changed since the package was opened.
        if let Some(decoded) = side.package.decoded(row) {
            let start = side.package.body_range(row).0;
            let mut body = decoded.body.clone();
            let written = side.package.written(&mut body, start, side.context.clone());
            return written.map(|(bytes, _)| bytes).unwrap_or_default();
        }
        side.package.body(row).unwrap_or_default().to_vec()
    };
    let (a, b) = (written(old, before), written(new, after));
    if a == b {
        return Vec::new();
    }
    let first = a.iter().zip(&b).position(|(a, b)| a != b);
    vec![Difference::Data {
        field: "body".to_owned(),
        offset: first.unwrap_or(a.len().min(b.len())) as u64,
        old_size: a.len() as u64,
        new_size: b.len() as u64,
        differing: a.iter().zip(&b).filter(|(a, b)| a != b).count() as u64,
    }]
}
