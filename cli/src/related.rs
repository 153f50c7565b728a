//! Files beside packages: save games, texts of a language, registries of assets.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};
use unreal_packages::archive::Coverage;
use unreal_packages::container::{Containers, is_package};
use unreal_packages::file::{self, FileOrigin};
use unreal_packages::related::{
    AssetRegistry, LocalizationMeta, LocalizedTexts, RelatedEntry, SaveFile,
};

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
    /// The languages of texts.
    Languages(Box<LocalizationMeta>),
    /// The assets of a game.
    Registry(Box<AssetRegistry>),
}

/// A file beside packages with its bytes.
pub struct RelatedFile {
    pub content: Related,
    pub coverage: Coverage,
    pub bytes: Bytes,
}

/// What a registry is called.
const REGISTRY: &str = "registry of assets";
/// What a `.locmeta` file is called.
const LANGUAGES: &str = "languages of texts";

/// The file at a path, if its first bytes or its extension say that it is one.
pub fn open(path: &Path) -> Result<Option<RelatedFile>, Failure> {
    if !is_one(path) {
        return Ok(None);
    }
    let file = RelatedFile::read(args::read(path)?);
    file.map(Some).map_err(|error| args::unopened(path, error))
}

/// The key of a document that holds the bytes of a save game.
const FILE: &str = "file";
/// The key of a document that holds the fields of another file.
const FIELDS: &str = "fields";
/// The key of the values that `upk get` prints.
const VALUES: &str = "values";

fn is_one(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = match Containers::split(path) {
        // A package in a container is opened in any case; what it is called says whether it may be another file.
        Some((_, inside)) if is_package(&inside) => return false,
        Some(_) => input::read(path).map(|(bytes, _)| start = bytes.to_vec()).is_ok(),
        None if input::is_standard(path) || !path.is_file() => return false,
        None => {
            let file = file::open(path, FileOrigin::Found);
            file.is_ok_and(|(file, _)| file.take(32).read_to_end(&mut start).is_ok())
        }
    };
    // Texts of the oldest version have no magic.
    let named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("locres"));
    let is_one = SaveFile::recognise(&start)
        || LocalizedTexts::recognise(&start)
        || LocalizationMeta::recognise(&start)
        || AssetRegistry::recognise(&start);
    read && (is_one || named)
}

/// Whether a file is called like one that is compared with packages: registries of assets, texts of languages.
pub fn is_named_so(path: &Path) -> bool {
    let has = |end: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(end));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    has("locres") || has("locmeta") || has("bin") && stem.ends_with("assetregistry")
}

/// Whether a document is of a file beside packages: it begins with the kind, those of packages do not.
pub fn is_document(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    text.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\"kind\""))
}

impl RelatedFile {
    /// The file with these bytes.
    fn read(bytes: Bytes) -> unreal_packages::Result<Self> {
        let (content, coverage) = if SaveFile::recognise(&bytes) {
            let file = SaveFile::read(bytes.clone())?;
            let coverage = file.coverage();
            (Related::Save(Box::new(file)), coverage)
        } else if AssetRegistry::recognise(&bytes) {
            let (registry, coverage) = AssetRegistry::read(bytes.clone())?;
            (Related::Registry(Box::new(registry)), coverage)
        } else if LocalizationMeta::recognise(&bytes) {
            let (meta, coverage) = LocalizationMeta::read(bytes.clone())?;
            (Related::Languages(Box::new(meta)), coverage)
        } else {
            let (texts, coverage) = LocalizedTexts::read(bytes.clone())?;
            (Related::Texts(Box::new(texts)), coverage)
        };
        Ok(Self { content, coverage, bytes })
    }

    /// The file that a document of `upk to-json` describes: what it says in full, then the values that differ from
    /// that. `None` for a document of a package.
    pub fn of_document(document: &Value) -> Result<Option<Self>, Failure> {
        let mut file = match (document.get(FILE), document.get(FIELDS)) {
            (Some(Value::String(text)), _) => {
                let bytes = STANDARD.decode(text);
                let bytes = bytes.map_err(|error| Failure::failed(format!("{FILE}: {error}")))?;
                Self::read(bytes.into())?
            }
            (_, Some(fields)) => {
                let bytes = match document["kind"].as_str() {
                    Some(REGISTRY) => AssetRegistry::from_json(fields)?.save(Bytes::new())?,
                    Some(LANGUAGES) => LocalizationMeta::from_json(fields)?.save(Bytes::new())?,
                    _ => LocalizedTexts::from_json(fields)?.save(Bytes::new())?,
                };
                Self::read(bytes.into())?
            }
            _ => return Ok(None),
        };
        let Some(values) = document[VALUES].as_array() else { return Ok(Some(file)) };
        if matches!(file.content, Related::Registry(_)) {
            return Ok(Some(file));
        }
        let known: BTreeMap<_, _> =
            file.values(None)?.into_iter().map(|(path, _, text)| (path, text)).collect();
        for value in values {
            let part = |key: &str| {
                let missing = || Failure::failed(format!("{VALUES}: {value} has no {key}"));
                value[key].as_str().ok_or_else(missing)
            };
            let (path, text) = (part("property")?, part("value")?);
            match known.get(path) {
                Some(same) if same == text => continue,
                Some(_) => file.set(path, text)?,
                None => file.set(&format!("{path}:{}", part("type")?), text)?,
            };
        }
        let bytes = file.save()?;
        Ok(Some(Self::read(bytes.into())?))
    }

    /// What kind of file it is.
    pub fn kind(&self) -> &'static str {
        match self.content {
            Related::Registry(_) => REGISTRY,
            Related::Languages(_) => LANGUAGES,
            Related::Save(_) => "save game",
            Related::Texts(_) => "texts of a language",
        }
    }

    /// The kind with its article, where it is one thing.
    pub fn noun(&self) -> String {
        match self.content {
            Related::Texts(_) | Related::Languages(_) => self.kind().to_owned(),
            _ => format!("a {}", self.kind()),
        }
    }

    /// The bytes that saving makes.
    pub fn save(&mut self) -> unreal_packages::Result<Vec<u8>> {
        match &mut self.content {
            Related::Save(file) => file.save(),
            Related::Texts(texts) => texts.save(self.bytes.clone()),
            Related::Registry(registry) => registry.save(self.bytes.clone()),
            Related::Languages(meta) => meta.save(self.bytes.clone()),
        }
    }

    /// Facts about it for people and for scripts.
    fn facts(&self) -> Vec<(&'static str, Value)> {
        let mut facts = vec![("kind", json!(self.kind()))];
        match &self.content {
            Related::Save(file) => {
                let game = file.game();
                let header = &game.header;
                let class = file.text(&header.class).unwrap_or_default();
                let branch = file.text(&header.engine.branch).unwrap_or_default();
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
                if let Some(wrapper) = file.wrapper() {
                    let (codec, method) = (char::from(wrapper.codec), char::from(wrapper.method));
                    facts.push(("packed as", json!(format!("Pl{codec}{method}"))));
                    facts.push(("unpacked", json!(wrapper.unpacked)));
                }
            }
            Related::Languages(meta) => facts.extend([
                ("version", json!(meta.version)),
                ("languages", json!(meta.compiled_cultures.len())),
            ]),
            Related::Registry(registry) => facts.extend([
                ("version", json!(registry.version)),
                ("names", json!(registry.names.rows.len())),
                ("assets", json!(registry.assets.len())),
                ("nodes", json!(registry.dependencies.len())),
                ("packages", json!(registry.packages.len())),
            ]),
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
                let row = |value: unreal_packages::related::SavedValue| {
                    (value.path, value.property_type.to_string(), value.text)
                };
                Ok(values.into_iter().map(row).collect())
            }
            Related::Registry(registry) => {
                let asset = |asset| registry.asset_path(asset, &self.bytes);
                let Some(path) = path else {
                    let rows = registry.assets.iter().map(asset);
                    return Ok(rows
                        .map(|(path, class)| (path, "asset".to_owned(), class))
                        .collect());
                };
                let found =
                    registry.assets.iter().find(|it| asset(it).0.eq_ignore_ascii_case(path));
                let Some(found) = found else {
                    let next = "`upk get FILE` shows all assets, PACKAGE.OBJECT";
                    let reason = format!("asset '{path}' not found");
                    return Err(Failure::failed(format!("{reason}\n  next: {next}")));
                };
                let tag = |(key, value)| (key, "tag".to_owned(), value);
                let mut rows = vec![("Class".to_owned(), "class".to_owned(), asset(found).1)];
                rows.extend(registry.tags_of(found, &self.bytes)?.into_iter().map(tag));
                let chunks: Vec<_> = found.chunks.iter().map(ToString::to_string).collect();
                let flags = format!("{:#x}", found.package_flags);
                rows.push(("ChunkIDs".to_owned(), "chunks".to_owned(), chunks.join(",")));
                rows.push(("PackageFlags".to_owned(), "flags".to_owned(), flags));
                Ok(rows)
            }
            Related::Languages(meta) => {
                let mut values = meta.values(&self.bytes)?;
                if let Some(path) = path {
                    values.retain(|(known, _)| known == path);
                    if values.is_empty() {
                        let next = "`upk get FILE` shows all values";
                        let reason = format!("value '{path}' not found");
                        return Err(Failure::failed(format!("{reason}\n  next: {next}")));
                    }
                }
                let row = |(path, text)| (path, "string".to_owned(), text);
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

    /// What it consists of, to be compared.
    pub fn entries(&self) -> Result<Vec<RelatedEntry>, Failure> {
        if let Related::Registry(registry) = &self.content {
            return Ok(registry.entries(&self.bytes)?);
        }
        let mut hashes = Vec::new();
        if let Related::Texts(texts) = &self.content {
            let entries = texts.namespaces.iter().flat_map(|namespace| &namespace.entries);
            hashes = entries.map(|entry| format!("{:#x}", entry.source_hash)).collect();
        }
        let mut hashes = hashes.into_iter();
        let entry = |(path, class, value)| {
            let hash = hashes.next().map(|hash| ("source hash".to_owned(), hash));
            let fields = std::iter::once(("value".to_owned(), value)).chain(hash).collect();
            RelatedEntry { group: "value", path, class, fields }
        };
        Ok(self.values(None)?.into_iter().map(entry).collect())
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
            Related::Languages(meta) => Ok((meta.set(path, text, &self.bytes)?, text.to_owned())),
            Related::Texts(texts) => Ok((texts.set(path, text, &self.bytes)?, text.to_owned())),
            Related::Registry(registry) => {
                Ok((registry.set(path, text, &self.bytes)?, text.to_owned()))
            }
        }
    }

    /// `upk to-json`: what the header says, every value as `upk get` prints it, and the file: the bytes of a save
    /// game, the fields of the others.
    pub fn json(&mut self) -> Result<Value, Failure> {
        let mut document = json!({});
        for (name, value) in self.facts() {
            document[name] = value;
        }
        let row = |(path, property_type, text)| json!({ "property": path, "type": property_type, "value": text });
        document[VALUES] = self.values(None)?.into_iter().map(row).collect();
        let source = self.bytes.clone();
        match &mut self.content {
            Related::Save(_) => document[FILE] = json!(STANDARD.encode(source)),
            Related::Languages(meta) => document[FIELDS] = meta.to_json(source)?,
            Related::Texts(texts) => document[FIELDS] = texts.to_json(source)?,
            Related::Registry(registry) => document[FIELDS] = registry.to_json(source)?,
        }
        Ok(document)
    }
}
