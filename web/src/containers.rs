//! Containers: what they hold, and the packages in them.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use unreal_packages::container::iostore::{ChunkKind, IoStore};
use unreal_packages::container::pak::Pak;
use unreal_packages::container::{
    BlockMethod, ContainedFile, ContainerOptions, GameContainer, Keys, is_package, mount_order,
};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::CompanionKind;
use unreal_packages::{Error, ErrorKind};

use crate::answer::Answer;
use crate::failure::{Failure, Result};
use crate::lent::LentFile;

/// The containers that were given together.
#[derive(Debug, Default)]
pub(crate) struct OpenContainers {
    all: Vec<OneContainer>,
    keys: Vec<String>,
    /// Their files, in the order of their paths.
    files: Vec<Place>,
    /// Those that the filter shows.
    shown: Vec<Place>,
}

/// A container with what it is read from.
#[derive(Debug)]
struct OneContainer {
    name: String,
    /// `.pak` or `.utoc`.
    table: LentFile,
    /// The `.ucas` files.
    blocks: Vec<LentFile>,
    opened: std::result::Result<GameContainer, Error>,
}

/// A file of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    container: u32,
    row: u32,
}

/// What the page is sent of a package: a file of it, or what else is known.
struct Part {
    kind: &'static str,
    name: String,
    bytes: Bytes,
}

impl OneContainer {
    fn new(table: LentFile, lent: &[LentFile], options: &ContainerOptions) -> Self {
        let mut one = Self {
            name: table.name.clone(),
            blocks: Vec::new(),
            opened: Err(ErrorKind::Invalid { reason: String::new() }.into()),
            table,
        };
        if one.is_store() {
            one.blocks = (0..lent.len() as u32).map(|row| one.blocks_file(row, lent)).collect();
            while one.blocks.last().is_some_and(LentFile::is_missing) {
                one.blocks.pop();
            }
        }
        one.open(options);
        one
    }

    fn is_store(&self) -> bool {
        self.name.to_ascii_lowercase().ends_with(".utoc")
    }

    fn blocks_name(&self, row: u32) -> String {
        let path = IoStore::partition_path(self.name.as_ref(), row);
        path.to_string_lossy().into_owned()
    }

    /// The `.ucas` file of this number among those that are there.
    fn blocks_file(&self, row: u32, lent: &[LentFile]) -> LentFile {
        let name = self.blocks_name(row);
        let known = lent.iter().find(|file| file.name.eq_ignore_ascii_case(&name));
        known.cloned().unwrap_or_else(|| LentFile::missing(name))
    }

    fn open(&mut self, options: &ContainerOptions) {
        self.opened = if self.is_store() {
            let blocks = self.blocks.iter().map(|file| Arc::new(file.clone()) as Arc<_>).collect();
            let toc = self.table.read();
            toc.and_then(|toc| IoStore::new(toc.into(), blocks, options))
                .map(|store| GameContainer::IoStore(Box::new(store)))
        } else {
            Pak::open(Arc::new(self.table.clone()), options)
                .map(|pak| GameContainer::Pak(Box::new(pak)))
        };
    }

    /// The `.ucas` files that were not given.
    fn missing(&self) -> Vec<String> {
        let Ok(GameContainer::IoStore(store)) = &self.opened else { return Vec::new() };
        let header = store.toc_header();
        let count = header.partition_count.clamp(1, header.block_count.max(1));
        let is_there =
            |row: u32| self.blocks.get(row as usize).is_some_and(|file| !file.is_missing());
        // Without blocks nothing is missing.
        let missing = (0..count).filter(|row| header.block_count > 0 && !is_there(*row));
        missing.take(64).map(|row| self.blocks_name(row)).collect()
    }

    fn value(&self) -> Value {
        let mut value = json!({ "name": self.name, "size": self.table.size });
        match &self.opened {
            Ok(container) => {
                let form = match container {
                    GameContainer::Pak(pak) => format!("version {}", pak.version()),
                    GameContainer::IoStore(store) => {
                        format!("version {}", store.toc_header().version)
                    }
                };
                let packages = container.files().iter().filter(|path| is_package(path)).count();
                value["form"] = json!(form);
                value["files"] = json!(container.files().len());
                value["packages"] = json!(packages);
                value["missing"] = json!(self.missing());
            }
            Err(error) => {
                value["locked"] =
                    json!(matches!(error.unreal(), Some(UnrealError::NeedsKey { .. })));
                value["error"] = json!(error.to_string());
            }
        }
        value
    }

    /// A failure to read, with what to do next.
    fn unread(&self, error: Error) -> Failure {
        let missing = self.missing();
        let outside = matches!(error.kind(), ErrorKind::OutsideSource { .. })
            || matches!(error.unreal(), Some(UnrealError::DamagedContainer { .. }));
        match missing.is_empty() || !outside {
            true => Failure::from(error),
            false => Failure::new(
                format!("its blocks are in {}, which is not there", missing.join(", ")),
                &format!("Drop {} together with its .ucas files.", self.name),
            ),
        }
    }
}

impl OpenContainers {
    /// Those among these files.
    pub fn new(lent: &[LentFile]) -> Self {
        let mut all = Self::default();
        let options = ContainerOptions::new();
        let mut tables: Vec<_> = lent
            .iter()
            .filter(|file| GameContainer::is_named_so(file.name.as_ref()))
            .cloned()
            .collect();
        tables.sort_by_cached_key(|file| std::cmp::Reverse(mount_order(file.name.as_ref())));
        all.all =
            tables.into_iter().map(|table| OneContainer::new(table, lent, &options)).collect();
        all.list();
        all
    }

    /// Opens them once more with one more key; those that it opens stay open.
    pub fn unlock(&mut self, key: &str) -> Result<Value> {
        let mut keys = self.keys.clone();
        keys.push(key.to_owned());
        let parsed = keys.iter().try_fold(Keys::new(), |keys, text| keys.with_text(text))?;
        let options = ContainerOptions::new().keys(parsed);
        self.keys = keys;
        for one in &mut self.all {
            one.open(&options);
        }
        self.list();
        Ok(self.value())
    }

    fn list(&mut self) {
        self.files = Vec::new();
        for (container, one) in self.all.iter().enumerate() {
            let count = one.opened.as_ref().map_or(0, |opened| opened.files().len()) as u32;
            let place = |row| Place { container: container as u32, row };
            self.files.extend((0..count).map(place));
        }
        let all = &self.all;
        self.files.sort_by_cached_key(|place| path_in(all, *place).to_ascii_lowercase());
        self.shown = self.files.clone();
    }

    /// What is known of them.
    pub fn value(&self) -> Value {
        let all: Vec<_> = self.all.iter().map(OneContainer::value).collect();
        json!({ "containers": all, "rows": self.shown.len() })
    }

    /// Shows the files whose path has this text, in any case; of all, or of packages.
    pub fn filter(&mut self, text: &str, packages: bool) -> Value {
        let text = text.to_ascii_lowercase();
        let all = &self.all;
        let has = |place: &Place| {
            let path = path_in(all, *place);
            (!packages || is_package(path) || is_unnamed_package(all, *place))
                && (text.is_empty() || path.to_ascii_lowercase().contains(&text))
        };
        self.shown = self.files.iter().copied().filter(has).collect();
        json!({ "rows": self.shown.len() })
    }

    pub fn rows(&self, from: usize, count: usize) -> Value {
        let shown = self.shown.iter().skip(from).take(count);
        let rows: Vec<_> = shown.map(|place| self.row(*place)).collect();
        json!({ "rows": rows })
    }

    fn row(&self, place: Place) -> Value {
        let one = self.all.get(place.container as usize);
        let file = one.and_then(|one| one.opened.as_ref().ok()?.file(place.row as usize).ok());
        let path = path_in(&self.all, place);
        let unknown = ContainedFile {
            path: String::new(),
            size: 0,
            stored: 0,
            method: None,
            encrypted: false,
            deleted: false,
        };
        let ContainedFile { size, stored, method, encrypted, deleted, .. } =
            file.unwrap_or(unknown);
        json!({
            "container": place.container, "row": place.row, "path": path,
            "from": one.map_or("", |one| one.name.as_str()),
            "size": size, "stored": stored, "method": method.map(BlockMethod::name),
            "encrypted": encrypted, "deleted": deleted,
            "package": is_package(path) || is_unnamed_package(&self.all, place),
        })
    }

    /// The files of a package, or the one file that is none.
    pub fn take(&self, container: usize, row: usize) -> Result<Answer> {
        let missing = || Failure::new("there is no such file", "Choose one in the list.");
        let one = self.all.get(container).ok_or_else(missing)?;
        let opened = one.opened.as_ref().map_err(|_| missing())?;
        let path = opened.files().get(row).ok_or_else(missing)?;
        let read = |row: usize| opened.read(row).map_err(|error| one.unread(error));
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let place = Place { container: container as u32, row: row as u32 };
        let stem = stem(path);
        let named = |extension: &str| opened.exact(&format!("{stem}.{extension}"));
        // A file of a package stands for the package.
        let is_companion = CompanionKind::is_of_a_package(path.as_ref());
        let package = match is_package(path) || is_unnamed_package(&self.all, place) {
            true => Some(row),
            false => Some(["uasset", "umap"])
                .filter(|_| is_companion)
                .and_then(|ends| ends.into_iter().find_map(named)),
        };
        let Some(package) = package else {
            let part = Part { kind: "file", name: name(path), bytes: read(row)? };
            return Ok(answer(vec![part], &[]));
        };
        let path = &opened.files()[package];
        let shown = match is_package(path) {
            true => name(path),
            false => format!("{}.uasset", name(path)),
        };
        let mut parts = vec![Part { kind: "header", name: shown, bytes: read(package)? }];
        for kind in CompanionKind::ALL {
            let Some(row) = named(kind.extension()) else { continue };
            let name = name(&opened.files()[row]);
            let word = if kind == CompanionKind::Exports { "bodies" } else { "beside" };
            parts.push(Part { kind: word, name, bytes: read(row)? });
        }
        let imported = opened.as_store().and_then(|store| {
            let (_, id) = store.chunk_of(package)?;
            Some(store.header()?.store_entry(id.id)?.imported_packages.clone())
        });
        if opened.as_store().is_some() {
            parts.extend(self.scripts());
        }
        Ok(answer(parts, &imported.unwrap_or_default()))
    }

    /// The objects of compiled code, from the container that has them.
    fn scripts(&self) -> Vec<Part> {
        let stores = self.all.iter().filter_map(|one| one.opened.as_ref().ok()?.as_store());
        for store in stores {
            let read = |kind| store.read_chunk(store.chunk_of_kind(kind)?).ok();
            let part =
                |bytes: Vec<u8>| Part { kind: "scripts", name: String::new(), bytes: bytes.into() };
            if let Some(objects) = read(ChunkKind::ScriptObjects) {
                return vec![part(objects)];
            }
            let names = read(ChunkKind::LoaderGlobalNames);
            if let Some((names, objects)) = names.zip(read(ChunkKind::LoaderInitialLoadMeta)) {
                return vec![part(names), part(objects)];
            }
        }
        Vec::new()
    }
}

fn path_in(all: &[OneContainer], place: Place) -> &str {
    let one = all.get(place.container as usize);
    let files = one.and_then(|one| one.opened.as_ref().ok()).map(GameContainer::files);
    files.and_then(|files| files.get(place.row as usize)).map_or("", String::as_str)
}

/// Whether it is a package of a container that does not say the paths of its files.
fn is_unnamed_package(all: &[OneContainer], place: Place) -> bool {
    let one = all.get(place.container as usize).and_then(|one| one.opened.as_ref().ok());
    let store = one.and_then(GameContainer::as_store);
    let is_package =
        |store: &IoStore| store.kind_of(place.row as usize) == Some(ChunkKind::ExportBundleData);
    store.is_some_and(is_package) && !path_in(all, place).contains('.')
}

/// A path without its ending: `.m.ubulk` is one.
fn stem(path: &str) -> &str {
    let lower = path.to_ascii_lowercase();
    let ends = CompanionKind::ALL.map(CompanionKind::extension);
    let mut ends: Vec<_> = ends.into_iter().collect();
    ends.sort_by_key(|end| std::cmp::Reverse(end.len()));
    let known = ends.into_iter().find(|end| lower.ends_with(&format!(".{end}")));
    match known {
        Some(end) => &path[..path.len() - end.len() - 1],
        None => path.rsplit_once('.').map_or(path, |(stem, _)| stem),
    }
}

/// The parts one behind the other; numbers of packages as texts, for numbers of JavaScript can't hold them.
fn answer(parts: Vec<Part>, imported: &[u64]) -> Answer {
    let listed: Vec<_> = parts
        .iter()
        .map(|part| json!({ "kind": part.kind, "name": part.name, "length": part.bytes.len() }))
        .collect();
    let imported: Vec<_> = imported.iter().map(ToString::to_string).collect();
    let size = parts.iter().map(|part| part.bytes.len()).sum();
    let mut bytes = Vec::with_capacity(size);
    for part in parts {
        bytes.extend_from_slice(&part.bytes);
    }
    Answer::with(&json!({ "parts": listed, "imported": imported }), bytes)
}
