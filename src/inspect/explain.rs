//! Explaining: every byte with its field, value and meaning.

use std::sync::Arc;

use crate::archive::{Annotate, ArchiveExt, Archived, Context, Loader, Record, RecordValue, Step};
use crate::error::{ErrorKind, Result};
use crate::package::{Package, Section};
use crate::primitive::{ObjectRef, PackageIndex};

/// One explained range. Explanations ascend, do not overlap and leave no byte out.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The section that has the bytes.
    pub section: Section,
    /// Place, path, type, value and meaning.
    pub record: Record,
}

impl Explanation {
    /// Every byte of the source with its field, from what [`Annotate`] records while the sections are
    /// read once more.
    ///
    /// # Errors
    /// `OutsideSource` when the package was not opened from its source.
    pub fn of(package: &Package) -> Result<Vec<Self>> {
        explain(package)
    }

    /// Every byte of one export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn of_body(package: &Package, row: usize) -> Result<Vec<Self>> {
        package.body(row)?;
        explain_body(package, row, &package.decoding_context())
    }
}

fn explain(package: &Package) -> Result<Vec<Explanation>> {
    let claims = package.claims();
    let context = package.context();
    let mut model = package.clone();
    model.parts_mut().bodies.replaced.clear();
    let mut explained: Vec<Explanation> = Vec::new();
    let gaps = claims.gaps.iter().enumerate();
    let owned = claims.owned.iter().cloned();
    let mut ranges: Vec<_> =
        owned.chain(gaps.map(|(row, gap)| (gap.clone(), Section::Gap(row as u32)))).collect();
    ranges.sort_by_key(|(range, _)| range.start);
    let mut bodies = None;
    let mut read = std::collections::HashMap::new();
    for place in package.header_places() {
        let mut loader =
            Loader::new(package.source(), package.versions().clone()).with_context(context.clone());
        loader.seek(package.source(), place.start, place.end())?;
        let mut annotate = Annotate::new(&mut loader);
        model.serialize_section(place.section, &mut annotate)?;
        read.insert(place.section, annotate.into_records());
    }
    for (range, section) in ranges {
        match read.get(&section) {
            Some(records) => {
                let first = records.partition_point(|record| record.end <= range.start);
                for record in records[first..].iter().take_while(|r| r.start < range.end) {
                    let mut record = record.clone();
                    record.start = record.start.max(range.start);
                    record.end = record.end.min(range.end);
                    name_object(package, &mut record);
                    if record.end > record.start {
                        explained.push(Explanation { section, record });
                    }
                }
            }
            None => match section {
                Section::Body(row) if package.bodies().decoded.contains_key(&(row as usize)) => {
                    let context = bodies.get_or_insert_with(|| package.decoding_context());
                    explained.extend(explain_body(package, row as usize, context)?);
                }
                _ => {
                    let record = whole(package, section, range);
                    explained.push(Explanation { section, record });
                }
            },
        }
    }
    Ok(explained)
}

fn explain_body(package: &Package, row: usize, context: &Arc<Context>) -> Result<Vec<Explanation>> {
    let is_new = package.body_range(row).1 == 0 && package.bodies().decoded.contains_key(&row);
    if is_new || package.bodies().replaced.contains_key(&row) {
        let reason = "the body was replaced: save and open the package again".to_owned();
        return Err(ErrorKind::Invalid { reason }.into());
    }
    let section = Section::Body(row as u32);
    let (start, size) = package.body_range(row);
    let mut body = package.decode_with(row, context).body;
    if body.is_opaque() {
        let record = whole(package, section, start..start + size);
        return Ok(vec![Explanation { section, record }]);
    }
    let mut loader =
        Loader::new(package.source(), package.versions().of_bodies()).with_context(context.clone());
    loader.seek(package.source(), start, start + size)?;
    let mut annotate = Annotate::new(&mut loader);
    for step in [Step::Field("bodies"), Step::Index(row)] {
        annotate.enter(step);
    }
    body.serialize(&mut annotate)?;
    let records = annotate.into_records();
    Ok(records
        .into_iter()
        .map(|mut record| {
            name_object(package, &mut record);
            if record.value == RecordValue::Span(crate::Kind::Opaque) {
                record.meaning = title(package, row);
            }
            Explanation { section, record }
        })
        .collect())
}

/// The path of an export with its class.
fn title(package: &Package, row: usize) -> String {
    let class = package.exports().get(row).map(|export| export.class());
    format!("{} ({})", package.exports().path(row), class.unwrap_or_default())
}

/// A body or gap is one record.
fn whole(package: &Package, section: Section, range: std::ops::Range<u64>) -> Record {
    let (kind, meaning) = match section {
        Section::Body(row) => (crate::Kind::Opaque, title(package, row as usize)),
        _ => (crate::Kind::Gap, String::new()),
    };
    Record {
        start: range.start,
        end: range.end,
        path: section.to_string(),
        type_name: "span",
        value: RecordValue::Span(kind),
        meaning,
    }
}

/// Says what an object reference refers to.
fn name_object(package: &Package, record: &mut Record) {
    if let RecordValue::Reference { space, row, .. } = record.value
        && *space == PackageIndex::SPACE
    {
        let index = PackageIndex::new(row);
        record.meaning = match index.target() {
            ObjectRef::Null => "null".to_owned(),
            ObjectRef::Import(_) => format!("import {}", package.path(index)),
            ObjectRef::Export(_) => format!("export {}", package.path(index)),
        };
    }
}
