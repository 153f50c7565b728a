//! From JSON to a package: the header and its sections.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::document::{Document, base64, check_keys, number, place_bytes};
use super::form::{FORM, fingerprint};
use super::texts::PackageTexts;
use crate::archive::{Archive, Context, JsonLoader};
use crate::compression::Container;
use crate::error::{Error, ErrorKind, Result};
use crate::package::{Package, Section, SectionPlace};
use crate::property::mappings::Mappings;
use crate::table::{NameHashes, ThumbnailImage};
use crate::version::{ByteOrder, EngineRelease, Game, Versions};

/// What a document has beside its sections.
const HEAD: [&str; 7] =
    ["farchive", "game", "big_endian", "engine", "mappings", "thumbnail_images", "stored"];

/// Bytes of package for each byte of JSON, at most: zeros are short as text.
const RATIO: u64 = 16;

/// What reading needs everywhere.
pub(super) struct Reading<'a> {
    pub texts: PackageTexts,
    pub context: Arc<Context>,
    pub document: &'a Document<'a>,
}

impl Package {
    /// The package that this JSON describes, which [`Package::to_json`] wrote. What is as it was written
    /// saves the same bytes; numbers, texts, references and elements may be edited.
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
        let mut package = Self::empty(Bytes::new());
        let game = document.get("game")?;
        let game = game.as_str().unwrap_or("detect").parse::<Game>()?;
        let big = document.get("big_endian")? == Value::Bool(true);
        let byte_order = if big { ByteOrder::Big } else { ByteOrder::Little };
        package.versions = Versions { game, byte_order, ..Versions::default() };
        package.expect_release(document, &stored, mappings)?;
        if stored.get("file").is_some() {
            let file = Bytes::from(base64(&stored, "file")?);
            let container = Container::open(&file, package.versions.clone(), None, None)?;
            package.container = container.map(Arc::new);
        }
        let mut image = image_of(&stored, document.length())?;
        let (texts, context) = Default::default();
        let mut reading = Reading { texts, context, document, stored: &stored };
        let places = places_of(&stored, image.len() as u64)?;
        for section in order_of(document, &places)? {
            let place = places.iter().find(|place| place.section == section);
            let place = place.copied().unwrap_or(SectionPlace { section, start: 0, size: 0 });
            package.read_section(place, &mut reading)?;
        }
        let is_there = |place: &&SectionPlace| document.has(place.section.step());
        package.places = places.iter().filter(is_there).copied().collect();
        package.read_images(&mut reading)?;
        package.read_bodies(&mut image, &mut reading)?;
        package.count_anew(&reading)?;
        Ok(package)
    }

    /// Makes ready for what documents of UE4 and UE5 say beside the sections.
    fn expect_release(
        &mut self,
        document: &Value,
        engine: Option<&str>,
        mappings: Option<Arc<Mappings>>,
    ) -> Result<()> {
        if let Some(engine) = engine {
            let Versions { game, byte_order, .. } = self.versions;
            let versions = engine.parse::<EngineRelease>()?.versions();
            self.versions = Versions { game, byte_order, ..versions };
        }
        self.split = document.get("split").and_then(Value::as_u64);
        self.hash_was_right = document.get("hash_was_right").and_then(Value::as_bool);
        if let Some(known) = document.get("mappings").and_then(Value::as_str) {
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
        at: usize,
        length: u64,
        entry: &Value,
        reading: &mut Reading<'_>,
    ) -> Result<()> {
        check_keys(entry, &["section", "row", "start", "size", "value"])?;
        let row = entry.get("row").and_then(Value::as_u64).and_then(|row| u32::try_from(row).ok());
        let name = entry.get("section").and_then(Value::as_str).unwrap_or_default();
        let section = Section::of_step(name, row)
            .ok_or_else(|| Error::invalid(format!("'{name}' is no section")))?;
        let (start, size) = (number(entry, "start")?, number(entry, "size")?);
        let end = start.checked_add(size).filter(|&end| end <= length);
        let outside = ErrorKind::OutsideSource { start, end: start.saturating_add(size), length };
        end.ok_or(outside)?;
        if let Section::ThumbnailImage(row) = section {
            if row as usize != self.tables.images.len() {
                return Err(Error::invalid("thumbnail images are out of order".to_owned()));
            }
            self.tables.images.push((start, ThumbnailImage::default()));
        }
        // The header comes first and says the versions.
        let known = section.entry().is_none_or(|entry| (entry.is_in)(&self.versions));
        if section != Section::Summary && !known {
            return Err(Error::invalid(format!(
                "packages of version {} have no '{name}'",
                self.versions
            )));
        }
        self.tables.expect(section, size);
        let value = entry.get("value").unwrap_or(&Value::Null);
        let known = (self.versions.clone(), reading.context.clone());
        let texts = std::mem::take(&mut reading.texts);
        let mut loader = JsonLoader::new(value, known, &texts, start, reading.document.length())
            .at(&format!("sections[{at}].value"));
        let read = self.serialize_rows(section, &mut loader);
        if section == Section::Summary {
            self.versions = loader.versions().clone();
        }
        loader.finish(read).map_err(|error| error.in_field(section.step()))?;
        reading.texts = texts;
        self.caches.forget();
        if section == Section::Names {
            reading.texts = self.texts(false);
            if reading.document.head.get("name_hashes_are_right") == Some(&Value::Bool(true)) {
                let texts: Vec<_> = self.names().iter().map(Cow::into_owned).collect();
                for (name, text) in self.tables.names.iter_mut().zip(texts) {
                    name.set_hashes(NameHashes::of(&text));
                }
            }
        }
        if matches!(section, Section::Names | Section::SoftObjectPaths) {
            reading.context = self.context();
        }
        self.places.push(SectionPlace { section, start, size });
        Ok(())
    }
}
