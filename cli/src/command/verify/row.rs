//! What verifying a package has shown.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Serialize;
use unreal_packages::Versions;
use unreal_packages::compression::ContainerForm;
use unreal_packages::inspect::{BodyBytes, Damage, Positions, Rebuilt};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::color::Paint;
use crate::undecoded::{NotDecoded, last_name};

/// How a package came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Byte for byte what was read.
    Identical,
    /// Something else than was read.
    Different,
    /// A package of a kind that can't be opened.
    Unsupported,
    /// A file that belongs to it is not there, so that it could not be opened.
    Incomplete,
    /// It could not be opened or rebuilt.
    Failed,
}

impl Status {
    /// The word for people, the same as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Different => "different",
            Self::Unsupported => "unsupported",
            Self::Incomplete => "incomplete",
            Self::Failed => "failed",
        }
    }

    /// Its colour.
    pub fn paint(self) -> Paint {
        match self {
            Self::Identical => Paint::Good,
            Self::Unsupported | Self::Incomplete => Paint::Doubtful,
            Self::Different | Self::Failed => Paint::Bad,
        }
    }
}

/// What is known about one package; `typed + payload + opaque + gap == bytes`, always.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The file.
    pub path: String,
    /// How it came out.
    pub status: Status,
    /// Why it is not identical; empty when it is.
    pub reason: String,
    /// File version, 0 when unknown; 864 from UE4, as its header says.
    pub file_version: u32,
    /// Licensee version, 0 when unknown.
    pub licensee_version: u32,
    /// UE4 object version, 0 below UE4 and when unknown.
    pub ue4: u32,
    /// UE5 object version, 0 below UE5 and when unknown.
    pub ue5: u32,
    /// The game's short name; empty when unknown.
    pub game: &'static str,
    /// It was saved by an engine that came after all that are known.
    pub newer_than_known: bool,
    /// Rows of the export table.
    pub exports: usize,
    /// Exports whose bodies are decoded to the last byte, those without a body among them.
    pub exports_typed: usize,
    /// Size of the package.
    pub bytes: u64,
    /// Named fields.
    pub typed: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
    /// Bytes that are kept, not decoded; all of them when the package can't be opened.
    pub opaque: u64,
    /// Bytes that nothing claims.
    pub gap: u64,
    /// Further files of the package that are counted apart.
    pub companions: Vec<String>,
    /// The bodies by the name of their class; empty where the image has them.
    pub by_class: BTreeMap<String, ClassRow>,
    /// The package inside a compressed or encrypted file; the file's own bytes are counted above, its
    /// compressed blocks as payload.
    pub image: Option<ImageRow>,
    /// Positions in the file that bodies and tables hold, and which of them are wrong.
    pub positions: Positions,
    /// Sectors of zeros and bytes behind its end; left out where there are none.
    #[serde(skip_serializing_if = "Damage::is_none")]
    pub damage: Damage,
    /// Bytes of bodies that could not be decoded: which, of which field, and why.
    pub not_decoded: Vec<NotDecoded>,
    /// Files in a container, all of whose hashes were checked; left out for packages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_files: Option<usize>,
}

/// The bodies of one class.
#[derive(Debug, Default, Serialize)]
pub struct ClassRow {
    /// How many.
    pub exports: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Named fields.
    pub typed: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
    /// Bytes that are kept, not decoded.
    pub opaque: u64,
}

/// What is known about the package inside a compressed or encrypted file;
/// `typed + payload + opaque + gap == bytes`, always.
#[derive(Debug, Serialize)]
pub struct ImageRow {
    /// How the file stores it.
    pub storage: ContainerForm,
    /// Whether it is rebuilt byte for byte.
    pub identical: bool,
    /// Size when decompressed.
    pub bytes: u64,
    /// Named fields.
    pub typed: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
    /// Bytes that are kept, not decoded.
    pub opaque: u64,
    /// Bytes that nothing claims.
    pub gap: u64,
    /// The bodies by the name of their class.
    pub by_class: BTreeMap<String, ClassRow>,
}

impl Row {
    pub(super) fn new(path: &Path) -> Self {
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self {
            path: path.display().to_string(),
            status: Status::Failed,
            reason: String::new(),
            file_version: 0,
            licensee_version: 0,
            ue4: 0,
            ue5: 0,
            game: "",
            newer_than_known: false,
            exports: 0,
            exports_typed: 0,
            bytes,
            typed: 0,
            payload: 0,
            opaque: bytes,
            gap: 0,
            companions: Vec::new(),
            by_class: BTreeMap::new(),
            image: None,
            positions: Positions::default(),
            damage: Damage::default(),
            not_decoded: Vec::new(),
            container_files: None,
        }
    }

    pub(super) fn count_classes(&mut self, package: &Package, rebuilt: &Rebuilt) {
        let mut names = HashMap::new();
        for export in package.exports().iter() {
            let bytes = export.size();
            let body = rebuilt.bodies.get(export.row()).copied().flatten();
            let BodyBytes { opaque, payload } =
                body.unwrap_or(BodyBytes { opaque: bytes, payload: 0 });
            self.exports_typed += usize::from(opaque == 0);
            let class = export.entry().class_index;
            let class = names.entry(class).or_insert_with(|| last_name(&export.class()));
            let row = match self.by_class.get_mut(class) {
                Some(row) => row,
                None => self.by_class.entry(class.clone()).or_default(),
            };
            row.exports += 1;
            row.bytes += bytes;
            row.payload += payload;
            row.opaque += opaque;
            row.typed += bytes - payload - opaque;
        }
    }

    /// The four kinds of bytes, on both levels where there are two.
    pub(super) fn count_bytes(&mut self, package: &Package, rebuilt: &Rebuilt) {
        let image = &rebuilt.coverage;
        let Some(container) = package.container() else {
            (self.typed, self.payload) = (image.typed, image.payload);
            (self.opaque, self.gap) = (image.opaque, image.gap);
            return;
        };
        let file = container.coverage();
        (self.typed, self.payload) = (file.typed, file.payload);
        (self.opaque, self.gap) = (file.opaque, file.gap);
        self.image = Some(ImageRow {
            storage: container.form(),
            identical: false,
            bytes: package.source().len() as u64,
            typed: image.typed,
            payload: image.payload,
            opaque: image.opaque,
            gap: image.gap,
            by_class: std::mem::take(&mut self.by_class),
        });
    }

    /// Bytes of the package itself, and how many of them are decoded.
    pub fn decoded(&self) -> (u64, u64) {
        match &self.image {
            Some(image) => (image.bytes, image.typed + image.payload),
            None => (self.bytes, self.typed + self.payload),
        }
    }

    /// The row of what could not be checked.
    pub fn failed(path: &Path, reason: String) -> Self {
        Self { reason, ..Self::new(path) }
    }

    pub(super) fn set_versions(&mut self, versions: &Versions) {
        self.file_version = versions.file();
        self.licensee_version = versions.licensee();
        (self.ue4, self.ue5) = (versions.ue4(), versions.ue5());
        self.game = versions.game().slug();
    }
}
