//! Explaining: every byte with its field, value and meaning.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::PackageEnums;
use crate::archive::{
    Annotate, Archive, ArchiveExt, Archived, Context, Loader, Record, RecordValue, Step,
};
use crate::error::{ErrorKind, Result};
use crate::object::Body;
use crate::package::{Decoded, Package, Section};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

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
        let is_decoded = |row| package.bodies().decoded.contains_key(&row);
        let mut explained = Vec::new();
        explain(package, 0..u64::MAX, is_decoded, &mut |explanation| {
            explained.push(explanation);
            Ok::<_, crate::Error>(())
        })?;
        Ok(explained)
    }

    /// The same for the fields with bytes in a range, handed out one after the other: only the sections and
    /// bodies that the range touches are read, and no more is kept than what the largest body has, or a section
    /// whose bytes others share. Bodies that are not decoded are decoded for that.
    ///
    /// # Errors
    /// As [`Explanation::of`]; what `each` reports.
    pub fn each<E: From<crate::Error>>(
        package: &Package,
        range: Range<u64>,
        each: &mut dyn FnMut(Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let shared = package.sharing_bodies();
        let decodable = |row| {
            let bodies = package.bodies();
            bodies.decoded.contains_key(&row)
                || !bodies.replaced.contains_key(&row) && !shared.contains(&row)
        };
        explain(package, range, decodable, each)
    }

    /// Every byte of one export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn of_body(package: &Package, row: usize) -> Result<Vec<Self>> {
        package.body(row)?;
        let context = package.decoding_context();
        let enums = PackageEnums::with_context(package, context.clone());
        explain_body(package, row, &context, &enums)
    }

    /// One body after the other, with its typed form: each is decoded for this and not kept. A body that shares
    /// its bytes with something else has none, and no fields.
    ///
    /// # Errors
    /// As [`Explanation::of_body`]; what `each` reports.
    pub fn of_bodies<E: From<crate::Error>>(
        package: &Package,
        mut each: impl FnMut(usize, Option<&Decoded>, Vec<Self>) -> Result<(), E>,
    ) -> Result<(), E> {
        let context = package.decoding_context();
        let enums = PackageEnums::with_context(package, context.clone());
        let mut decoder = package.decoder();
        for row in 0..package.exports().len() {
            match decoder.decode(package, row, |_| true) {
                Some(mut decoded) => {
                    let body = &mut Arc::make_mut(&mut decoded).body;
                    let fields = explain_decoded(package, row, body, (&context, &enums))?;
                    each(row, Some(&decoded), fields)?;
                }
                None => match package.decoded(row) {
                    Some(decoded) => {
                        let fields = explain_body(package, row, &context, &enums)?;
                        each(row, Some(decoded), fields)?;
                    }
                    None => each(row, None, Vec::new())?,
                },
            }
        }
        Ok(())
    }
}

/// The fields with bytes in a range; of the bodies only some are explained field by field.
fn explain<E: From<crate::Error>>(
    package: &Package,
    range: Range<u64>,
    is_explained: impl Fn(usize) -> bool,
    each: &mut dyn FnMut(Explanation) -> Result<(), E>,
) -> Result<(), E> {
    let claims = package.claims();
    let touches = |place: &Range<u64>| place.start < range.end && range.start < place.end;
    let owned = claims.owned();
    let gaps = claims.gaps.iter().enumerate();
    let gaps = gaps.map(|(row, gap)| (gap.clone(), Section::Gap(row as u32)));
    let mut places: Vec<_> = owned.chain(gaps).filter(|(place, _)| touches(place)).collect();
    places.sort_by_key(|(place, _)| place.start);
    let mut header = HeaderFields::of(package, &places);
    let enums = PackageEnums::with_context(package, header.context.clone());
    for (place, section) in places {
        match section {
            Section::Body(row) if is_explained(row as usize) => {
                let explained = explain_body(package, row as usize, &header.context, &enums)?;
                let is_met = |it: &Explanation| touches(&(it.record.start..it.record.end));
                explained.into_iter().filter(is_met).try_for_each(&mut *each)?;
            }
            Section::Body(_) | Section::Gap(_) => {
                each(Explanation { section, record: whole(package, section, place) })?;
            }
            _ => {
                let start = place.start.max(range.start);
                header.explain(section, start..place.end.min(range.end), place, each)?;
            }
        }
    }
    Ok(())
}

/// The sections of the header, each read when it is asked for.
struct HeaderFields<'a> {
    package: &'a Package,
    /// Reading gives it what it has.
    model: Option<Package>,
    context: Arc<Context>,
    /// Sections whose bytes lie in several places, which are read once.
    divided: HashMap<Section, Vec<Record>>,
}

impl<'a> HeaderFields<'a> {
    /// Of a package of which these places are asked for.
    fn of(package: &'a Package, places: &[(Range<u64>, Section)]) -> Self {
        let mut seen = HashSet::new();
        let listed = |section: &Section| !matches!(section, Section::Body(_) | Section::Gap(_));
        let sections = places.iter().map(|(_, section)| *section).filter(listed);
        let again = sections.filter(|section| !seen.insert(*section));
        let divided = again.map(|section| (section, Vec::new())).collect();
        Self { package, model: None, context: package.decoding_context(), divided }
    }

    /// The explanation of a part of a section's place.
    fn explain<E: From<crate::Error>>(
        &mut self,
        section: Section,
        wanted: Range<u64>,
        place: Range<u64>,
        each: &mut dyn FnMut(Explanation) -> Result<(), E>,
    ) -> Result<(), E> {
        let package = self.package;
        // Bytes that another section owns are explained there.
        let mut hand_on = |mut record: Record| {
            record.start = record.start.max(place.start);
            record.end = record.end.min(place.end);
            if record.end <= record.start {
                return Ok(());
            }
            name_object(package, &mut record);
            each(Explanation { section, record })
        };
        if let Some(records) = self.divided.get(&section) {
            if records.is_empty() {
                let mut found = Vec::new();
                self.read(section, 0..u64::MAX, &mut |record| found.push(record))?;
                self.divided.insert(section, found);
            }
            let records = self.divided.get(&section).map_or(&[][..], Vec::as_slice);
            let first = records.partition_point(|record| record.end <= wanted.start);
            let met = records[first..].iter().take_while(|record| record.start < wanted.end);
            return met.cloned().try_for_each(hand_on);
        }
        let mut done = Ok(());
        self.read(section, wanted, &mut |record| {
            if done.is_ok() {
                done = hand_on(record);
            }
        })?;
        done
    }

    /// Reads a section once more.
    fn read(
        &mut self,
        section: Section,
        range: Range<u64>,
        take: &mut dyn FnMut(Record),
    ) -> Result<()> {
        let package = self.package;
        let found = package.header_places().iter().find(|place| place.section == section);
        let Some(place) = found else { return Ok(()) };
        let mut loader = Loader::new(package.source(), package.versions().clone())
            .with_context(self.context.clone());
        loader.seek(package.source(), place.start, place.end())?;
        let model = match section {
            // It has as many rows as there are exports.
            Section::Depends => self.model.insert(package.without_bodies()),
            _ => self.model.get_or_insert_with(|| package.without_objects()),
        };
        let mut annotate = Annotate::streaming(&mut loader, range, take);
        let read = model.serialize_section(section, &mut annotate);
        annotate.finish();
        read
    }
}

fn explain_body(
    package: &Package,
    row: usize,
    context: &Arc<Context>,
    enums: &PackageEnums<'_>,
) -> Result<Vec<Explanation>> {
    let is_new = package.body_range(row).1 == 0 && package.bodies().decoded.contains_key(&row);
    if is_new || package.bodies().replaced.contains_key(&row) {
        let reason = "the body was replaced: save and open the package again".to_owned();
        return Err(ErrorKind::Invalid { reason }.into());
    }
    let mut body = package.decode_with(row, context).body;
    explain_decoded(package, row, &mut body, (context, enums))
}

/// The same for a body as it was decoded from the source, which is read once more.
fn explain_decoded(
    package: &Package,
    row: usize,
    body: &mut Body,
    (context, enums): (&Arc<Context>, &PackageEnums<'_>),
) -> Result<Vec<Explanation>> {
    let section = Section::Body(row as u32);
    let (start, size) = package.body_range(row);
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
    body.serialize(&mut annotate as &mut dyn Archive)?;
    let mut records = annotate.into_records();
    enums.name_values(row, &mut records);
    Ok(records
        .into_iter()
        .map(|mut record| {
            name_object(package, &mut record);
            if record.value == RecordValue::Span(crate::Kind::Opaque) {
                let why = std::mem::take(&mut record.meaning);
                let colon = if why.is_empty() { "" } else { ": " };
                record.meaning = format!("{}{colon}{why}", title(package, row));
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
fn whole(package: &Package, section: Section, range: Range<u64>) -> Record {
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
        role: None,
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
