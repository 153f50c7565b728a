//! From JSON to a package: the header and its sections.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::by_row::TablesByRow;
use super::code::LabelledPlaces;
use super::document::{Document, base64, check_keys, number, place_bytes};
use super::enums::{ENUMS, ReadEnums};
use super::form::{FORM, fingerprint};
use super::names::UsualFlags;
use super::properties::TypesInWords;
use super::seal::Seal;
use super::summary::{self, ToCount};
use super::texts::PackageTexts;
use crate::archive::{Archive, Context, JsonLoader};
use crate::compression::Container;
use crate::error::{Error, ErrorKind, Result};
use crate::package::{Package, Section, SectionPlace};
use crate::primitive::NameFlags;
use crate::property::mappings::Mappings;
use crate::table::{ThumbnailImage, next_row};
use crate::version::threshold::ue5;
use crate::version::{ByteOrder, EngineRelease, Game, UnrealVersions, Versions};

/// Keys of a document beside its sections.
const HEAD: [&str; 9] = [
    "farchive",
    "game",
    "big_endian",
    "engine",
    "mappings",
    "thumbnail_images",
    ENUMS,
    "stored",
    Seal::KEY,
];

/// Keys of stored facts that no other key says.
const STORED: [&str; 9] = [
    "length",
    "split",
    "file",
    "cooked_header_more",
    "name_flags",
    "summary",
    "places",
    "gaps",
    "rows",
];

/// The keys of an export beside those of its row.
pub(super) const BODY: [&str; 3] = ["value", "$opaque", "stored"];

/// Bytes of package for each byte of JSON, at most: zeros are short as text.
const RATIO: u64 = 16;

/// The state that reading needs everywhere.
pub(super) struct Reading<'a> {
    pub texts: PackageTexts,
    pub context: Arc<Context>,
    pub document: &'a Document<'a>,
    pub usual_flags: UsualFlags,
    pub types: TypesInWords,
    pub enums: ReadEnums,
    pub stored: &'a Value,
    pub count: ToCount,
    /// Values at rows of imports and exports for tables that come later.
    pub by_row: TablesByRow,
    /// Code whose labels lie elsewhere now, by the row of its object.
    pub moved: BTreeMap<usize, LabelledPlaces>,
}

impl Package {
    /// The package that this JSON describes, which [`Package::to_json`] wrote. What is as it was written
    /// saves the same bytes; all of it may be edited: values, texts and references changed, properties,
    /// elements, names, imports and exports added. Names that it uses are added where they are not there.
    /// Without `stored` (or of an object without its own) the canonical form comes out. Code is taken whether it can run
    /// or not; `check_code` tells.
    ///
    /// # Errors
    /// `Invalid` where something else is expected, or what does not fit, with its place in the document.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        Self::from_json_with(text, None)
    }

    /// The same with mappings: packages that leave out the names and types of their properties need those
    /// that they were written with.
    ///
    /// # Errors
    /// As [`Package::from_json`]; `Invalid` without mappings, or with others.
    pub fn from_json_with(text: &[u8], mappings: Option<Arc<Mappings>>) -> Result<Self> {
        Self::read_json(&Document::parse(text)?, mappings)
    }

    fn read_json(document: &Document<'_>, mappings: Option<Arc<Mappings>>) -> Result<Self> {
        check_form(document)?;
        let stored = document.get("stored")?;
        check_keys(&stored, &STORED).map_err(|error| error.in_field("stored"))?;
        // One that is as it was written may be that of a damaged package, which it gives back.
        let rows_changed = Seal::of_document(document).is_none();
        let mut package = Self { rows_changed, ..Self::empty(Bytes::new()) };
        let game = document.get("game")?;
        let game = game.as_str().unwrap_or("detect").parse::<Game>()?;
        let big = document.get("big_endian")? == Value::Bool(true);
        let byte_order = if big { ByteOrder::Big } else { ByteOrder::Little };
        package.versions = Versions::unreal().with_game(game).with_byte_order(byte_order);
        package.expect_release(document, &stored, mappings)?;
        if stored.get("file").is_some() {
            let file = Bytes::from(base64(&stored, "file")?);
            let more = stored.get("cooked_header_more").map_or(Some(0), Value::as_i64);
            package.container = match package.zen_container(&file, more) {
                Some(container) => Some(container?),
                None => {
                    let versions = package.versions.clone();
                    Container::open(&file, versions, None, None)?.map(Arc::new)
                }
            };
        }
        let located = |error: Error| error.in_field("stored");
        let mut image = image_of(&stored, document.length()).map_err(located)?;
        let places = places_of(&stored, image.len() as u64).map_err(located)?;
        let (texts, context, types, count, moved) = Default::default();
        let enums = ReadEnums::of(&document.get(ENUMS)?)?;
        let (usual_flags, by_row) = (UsualFlags(NameFlags(0)), TablesByRow::default());
        let mut reading = Reading {
            texts,
            context,
            document,
            usual_flags,
            types,
            enums,
            stored: &stored,
            count,
            by_row,
            moved,
        };
        for section in Section::listed() {
            if section == Section::Summary || document.has(section.step()) {
                let place = places.iter().find(|place| place.section == section).copied();
                package.read_section(section, place, &mut reading)?;
            }
        }
        let is_there = |place: &&SectionPlace| document.has(place.section.step());
        package.places = places.iter().filter(is_there).copied().collect();
        package.check_rows(document, &stored)?;
        package.read_images(&reading)?;
        package.read_bodies(&mut image, &mut reading)?;
        package.move_known_places(&reading.moved)?;
        package.count_anew(&reading)?;
        Ok(package)
    }

    /// Makes ready for what documents of UE4 and UE5 say beside the sections.
    fn expect_release(
        &mut self,
        document: &Document<'_>,
        stored: &Value,
        mappings: Option<Arc<Mappings>>,
    ) -> Result<()> {
        if let Some(engine) = document.get("engine")?.as_str() {
            let (game, byte_order) = (self.versions.game(), self.versions.byte_order);
            // A package may have been saved by one that nobody knows.
            let release = EngineRelease::of_text(engine);
            let unknown = || Error::invalid(format!("'{engine}' is no engine release"));
            let versions = release.ok_or_else(unknown)?.versions();
            self.versions = versions.with_game(game).with_byte_order(byte_order);
        }
        self.split = stored.get("split").and_then(Value::as_u64);
        if let Some(known) = document.get("mappings")?.as_str() {
            let given = mappings.as_deref().map(fingerprint).transpose()?;
            let reason = match given {
                Some(given) if given == known => None,
                Some(_) => Some(
                    "it was written with other mappings: give the .usmap file that to-json had, or \
                     delete the key 'mappings' if these fit as well",
                ),
                None => Some(
                    "it was written with mappings: give the same .usmap file (--mappings FILE)",
                ),
            };
            if let Some(reason) = reason {
                return Err(Error::invalid(reason.to_owned()));
            }
        }
        self.mappings = mappings;
        Ok(())
    }

    fn read_section(
        &mut self,
        section: Section,
        place: Option<SectionPlace>,
        reading: &mut Reading<'_>,
    ) -> Result<()> {
        let (start, size) = place.map_or((0, 0), |place| (place.start, place.size));
        // The header comes first and says the versions.
        let known = section.entry().is_none_or(|entry| (entry.is_in)(&self.versions));
        if section != Section::Summary && !known {
            let (versions, step) = (&self.versions, section.step());
            return Err(Error::invalid(format!("packages of version {versions} have no '{step}'")));
        }
        self.tables.expect(section, size);
        let value = self.section_value(section, reading)?;
        let usual = match section {
            Section::Summary => summary::unsaid(),
            _ => Map::new(),
        };
        let known = (self.versions.clone(), reading.context.clone());
        let texts = std::mem::take(&mut reading.texts);
        let mut loader = JsonLoader::new(&value, known, &texts, start, reading.document.length())
            .at(section.step())
            .with_usual(&usual);
        let read = self.serialize_rows(section, &mut loader);
        if section == Section::Summary {
            self.versions = loader.versions().clone();
        }
        loader.finish(read).map_err(|error| error.in_field(section.step()))?;
        reading.texts = texts;
        self.caches.forget();
        match section {
            Section::Summary => {
                let said = reading.stored.get("name_flags").and_then(Value::as_u64);
                let flags = said.map_or(NameFlags::ordinary(&self.versions), NameFlags);
                reading.usual_flags = UsualFlags(flags);
                if self.versions.ue5() >= ue5::PACKAGE_SAVED_HASH {
                    self.hash_was_right = Some(reading.count.hash);
                }
            }
            Section::Names => {
                let names = self.names().iter().map(|name| name.into_owned()).collect::<Vec<_>>();
                let paths = self.paths_of(reading.document, &names)?;
                let texts = PackageTexts::new(names, paths, &self.versions);
                reading.texts = texts.adding_names(self.tables.names.len());
                reading.context = self.context();
            }
            Section::SoftObjectPaths => reading.context = self.context(),
            _ => {}
        }
        self.add_used_names(reading).map(drop)
    }

    /// Adds the names that were used and are not there; whether there were any.
    pub(super) fn add_used_names(&mut self, reading: &mut Reading<'_>) -> Result<bool> {
        let added = reading.texts.take_added();
        let were_any = !added.is_empty();
        self.append_names(added, reading.usual_flags, &mut reading.context)?;
        Ok(were_any)
    }

    fn read_images(&mut self, reading: &Reading<'_>) -> Result<()> {
        let images = reading.document.get("thumbnail_images")?;
        for (at, entry) in images.as_array().into_iter().flatten().enumerate() {
            let located = |error: Error| error.at_index(at).in_field("thumbnail_images");
            check_keys(entry, &["start", "size", "value"]).map_err(located)?;
            let (start, size) = (number(entry, "start")?, number(entry, "size")?);
            let length = reading.document.length().saturating_mul(RATIO);
            let end = start.checked_add(size).filter(|end| *end <= length);
            let outside = ErrorKind::OutsideSource { start, end: start, length };
            end.ok_or(outside).map_err(|kind| located(kind.into()))?;
            self.tables.images.push((start, ThumbnailImage::default()));
            let section = Section::ThumbnailImage(at as u32);
            let known = (self.versions.clone(), reading.context.clone());
            let document = reading.document.length();
            let mut loader =
                JsonLoader::new(&entry["value"], known, &reading.texts, start, document)
                    .at(&format!("thumbnail_images[{at}].value"));
            let read = self.serialize_rows(section, &mut loader);
            loader.finish(read).map_err(located)?;
            // One behind the file is new: it stands nowhere yet.
            let stood = number(reading.stored, "length").is_ok_and(|length| start < length);
            if stood && !self.places.is_empty() {
                let behind = self.places.iter().position(|place| place.start >= start + size);
                let place = behind.unwrap_or(self.places.len());
                self.places.insert(place, SectionPlace { section, start, size });
            }
        }
        Ok(())
    }

    /// Counts what the document leaves to be counted.
    fn count_anew(&mut self, reading: &Reading<'_>) -> Result<()> {
        let (names, exports) = (next_row(self.tables.names.len())?, self.export_count());
        let summary = &mut self.tables.summary;
        let is_new = reading.count.names != Some(i64::from(names));
        if is_new && self.versions.ue5() >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
            // New names stand at the end and bodies may use them (spec: ue4-5/03 §1).
            summary.names_referenced_from_export_data_count = names;
        }
        summary.name_count = names;
        if let Some(newest) = summary.generations.last_mut() {
            if reading.count.newest_names {
                newest.name_count = names;
            }
            if reading.count.newest_exports {
                newest.export_count = next_row(exports)?;
            }
        }
        Ok(())
    }
}

/// Refuses documents of other forms.
fn check_form(document: &Document<'_>) -> Result<()> {
    let form = document.get("farchive")?;
    let Some(form) = form.as_u64() else {
        let reason = match document.has("NameMap") {
            true => "it is a document of UAssetAPI: say so (--uassetapi)",
            false => "'farchive' is missing: it is no document of to-json",
        };
        return Err(Error::invalid(reason));
    };
    if form != FORM {
        return Err(Error::invalid(format!(
            "it is version {form} of the form of documents, not {FORM}: write it again with \
             to-json"
        )));
    }
    let sections: Vec<&str> = Section::listed().map(Section::step).collect();
    match document.keys().find(|key| !HEAD.contains(key) && !sections.contains(key)) {
        Some(key) => {
            let known = [&HEAD[..], &sections].concat().join(", ");
            Err(Error::invalid(format!("unknown field '{key}'; known are {known}")))
        }
        None => Ok(()),
    }
}

/// The bytes of the file as far as nothing else says them.
fn image_of(stored: &Value, document: u64) -> Result<Vec<u8>> {
    let length = match stored.get("length") {
        Some(_) => number(stored, "length")?,
        None => 0,
    };
    if length > document.saturating_mul(RATIO) {
        return Err(ErrorKind::TooLong { count: length, remaining: document }.into());
    }
    let mut image = vec![0; length as usize];
    for (at, gap) in stored.get("gaps").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        let located = |error: Error| error.at_index(at).in_field("gaps");
        let start = number(gap, 0).map_err(located)?;
        let bytes = base64(gap, 1).map_err(located)?;
        place_bytes(&mut image, start, &bytes).map_err(located)?;
    }
    Ok(image)
}

/// Where the sections stood.
fn places_of(stored: &Value, length: u64) -> Result<Vec<SectionPlace>> {
    let mut places: Vec<SectionPlace> = Vec::new();
    let rows = stored.get("places").and_then(Value::as_array).into_iter().flatten();
    for (at, row) in rows.enumerate() {
        let located = |error: Error| error.at_index(at).in_field("places");
        let step = row.get(0).and_then(Value::as_str).unwrap_or_default();
        let section = Section::listed().find(|section| section.step() == step);
        let section = section.filter(|section| places.iter().all(|it| it.section != *section));
        let section = section.ok_or_else(|| {
            located(Error::invalid(format!("'{step}' is no section, or stands twice")))
        })?;
        let (start, size) = (number(row, 1).map_err(located)?, number(row, 2).map_err(located)?);
        if start.checked_add(size).is_none_or(|end| end > length) {
            let end = start.saturating_add(size);
            return Err(located(ErrorKind::OutsideSource { start, end, length }.into()));
        }
        places.push(SectionPlace { section, start, size });
    }
    Ok(places)
}
