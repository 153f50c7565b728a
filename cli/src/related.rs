//! Files beside packages: save games, texts of a language.

use std::io::Read;
use std::path::Path;

use bytes::Bytes;
use farchive::archive::Coverage;
use farchive::container::{Containers, is_package};
use farchive::related::{LocalizedTexts, SaveFile, SaveGame};
use serde_json::{Value, json};

use crate::args;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::input;
use crate::output::{Output, grouped};

/// A file that is no package, but made by the engine with the same archives.
pub enum Related {
    /// A save game.
    Save(Box<SaveFile>),
    /// Texts of a language.
    Texts(Box<LocalizedTexts>),
}

/// A file beside packages with its bytes.
pub struct RelatedFile {
    pub content: Related,
    pub coverage: Coverage,
    pub bytes: Bytes,
}

/// The file at a path, if its first bytes or its extension say that it is one.
pub fn open(path: &Path) -> Result<Option<RelatedFile>, Failure> {
    if !is_one(path) {
        return Ok(None);
    }
    let bytes = args::read(path)?;
    let (content, coverage) = if SaveGame::recognise(&bytes) {
        let file = SaveFile::read(bytes.clone()).map_err(|error| args::unopened(path, error))?;
        let coverage = file.coverage();
        (Related::Save(Box::new(file)), coverage)
    } else {
        let read = LocalizedTexts::read(bytes.clone());
        let (texts, coverage) = read.map_err(|error| args::unopened(path, error))?;
        (Related::Texts(Box::new(texts)), coverage)
    };
    Ok(Some(RelatedFile { content, coverage, bytes }))
}

fn is_one(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = match Containers::split(path) {
        // A package in a container is opened in any case; what it is called says whether it may be another file.
        Some((_, inside)) if is_package(&inside) => return false,
        Some(_) => input::read(path).map(|(bytes, _)| start = bytes.to_vec()).is_ok(),
        None if input::is_standard(path) || !path.is_file() => return false,
        None => {
            let file = std::fs::File::open(path);
            file.and_then(|file| file.take(16).read_to_end(&mut start)).is_ok()
        }
    };
    // Texts of the oldest version have no magic.
    let named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("locres"));
    read && (SaveGame::recognise(&start) || LocalizedTexts::recognise(&start) || named)
}

impl RelatedFile {
    /// What kind of file it is.
    pub fn kind(&self) -> &'static str {
        match self.content {
            Related::Save(_) => "save game",
            Related::Texts(_) => "texts of a language",
        }
    }

    /// The bytes that saving makes.
    pub fn save(&mut self) -> farchive::Result<Vec<u8>> {
        match &mut self.content {
            Related::Save(file) => file.save(),
            Related::Texts(texts) => texts.save(self.bytes.clone()),
        }
    }

    /// Facts about it for people and for scripts.
    fn facts(&self) -> Vec<(&'static str, Value)> {
        let mut facts = vec![("kind", json!(self.kind()))];
        match &self.content {
            Related::Save(file) => {
                let game = file.game();
                let header = &game.header;
                let class = header.class.text(&self.bytes).unwrap_or_default();
                let branch = header.engine.branch.text(&self.bytes).unwrap_or_default();
                facts.extend([
                    ("class", json!(class)),
                    ("version", json!(header.file_version)),
                    ("ue4", json!(header.ue4)),
                    ("ue5", json!(header.ue5)),
                    ("engine", json!(header.engine.to_string())),
                    ("branch", json!(branch)),
                    ("custom", json!(header.custom_versions.rows().len())),
                    ("properties", json!(game.properties.properties.len())),
                ]);
            }
            Related::Texts(texts) => facts.extend([
                ("version", json!(texts.version)),
                ("namespaces", json!(texts.namespaces.len())),
                ("keys", json!(texts.keys())),
                ("strings", json!(texts.strings.len())),
            ]),
        }
        let Coverage { typed, payload, opaque, gap } = self.coverage;
        facts.push(("bytes", json!(self.bytes.len())));
        for (name, count) in
            [("typed", typed), ("payload", payload), ("opaque", opaque), ("gap", gap)]
        {
            facts.push((name, json!(count)));
        }
        facts
    }

    /// `upk info`.
    pub fn info(&self, path: &Path, out: &mut Output) -> CommandResult {
        let facts = self.facts();
        if out.is_json() {
            let mut object = json!({ "file": path });
            for (name, value) in facts {
                object[name] = value;
            }
            out.object(&object)?;
            return Ok(Outcome::Fine);
        }
        out.line(path.display())?;
        for (label, value) in facts {
            let text = match (label, value.as_u64()) {
                ("bytes" | "typed" | "payload" | "opaque" | "gap", Some(count)) => grouped(count),
                _ => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            };
            out.line(format!("  {label:<12} {text}"))?;
        }
        Ok(Outcome::Fine)
    }

    /// Paths, types and values: all of them, or the one of this path.
    fn values(&self, path: Option<&str>) -> Result<Vec<(String, String, String)>, Failure> {
        match &self.content {
            Related::Save(file) => {
                let values = match path {
                    Some(path) => vec![file.value(path)?],
                    None => file.values(),
                };
                let row = |value: farchive::related::SavedValue| {
                    (value.path, value.property_type.to_string(), value.text)
                };
                Ok(values.into_iter().map(row).collect())
            }
            Related::Texts(texts) => {
                let mut entries = texts.entries(&self.bytes)?;
                if let Some(path) = path {
                    entries.retain(|(known, _)| known == path);
                    if entries.is_empty() {
                        let next = "`upk get FILE` shows all paths, NAMESPACE/KEY";
                        let reason = format!("text '{path}' not found");
                        return Err(Failure::failed(format!("{reason}\n  next: {next}")));
                    }
                }
                let row = |(path, text)| (path, "string".to_owned(), text);
                Ok(entries.into_iter().map(row).collect())
            }
        }
    }

    /// `upk get`.
    pub fn get(&self, path: Option<&str>, out: &mut Output) -> CommandResult {
        for (path, property_type, text) in self.values(path)? {
            if out.is_json() {
                out.object(&json!({ "property": path, "type": property_type, "value": text }))?;
            } else {
                out.line(format!("{path}={text}"))?;
            }
        }
        Ok(Outcome::Fine)
    }

    /// Gives the value at a path another one; what it was and is.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(String, String), Failure> {
        match &mut self.content {
            Related::Save(file) => Ok(file.set(path, text)?),
            Related::Texts(texts) => Ok((texts.set(path, text, &self.bytes)?, text.to_owned())),
        }
    }

    /// `upk to-json`: what the header says, and every value as `upk get` prints it.
    pub fn json(&self) -> Result<Value, Failure> {
        let mut document = json!({});
        for (name, value) in self.facts() {
            document[name] = value;
        }
        let row = |(path, property_type, text)| json!({ "property": path, "type": property_type, "value": text });
        document["values"] = self.values(None)?.into_iter().map(row).collect();
        Ok(document)
    }
}
