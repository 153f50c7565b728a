//! How much of a collection of packages nobody decodes.

use std::collections::BTreeMap;

use super::OpaquePart;
use crate::package::Package;
use crate::version::{Engine, EngineRelease, UnrealVersions};

/// What bodies are counted together: those of one class in packages of one engine and release.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ShareKey {
    /// The engine: UE1 to UE5.
    pub engine: Engine,
    /// The release, as the package says it or nearest to its versions; the file and licensee version before UE4.
    pub release: String,
    /// The name of the class.
    pub class: String,
}

/// The bytes of bodies that are counted together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Share {
    /// Packages that have such bodies.
    pub files: u64,
    /// Those of which some bytes are opaque.
    pub opaque_files: u64,
    /// How many bodies.
    pub bodies: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
    /// Bytes that are kept, not decoded.
    pub opaque: u64,
}

impl Share {
    /// Opaque bytes of all that are no payload, in percent.
    pub fn percent(&self) -> f64 {
        let counted = self.bytes.saturating_sub(self.payload).max(1);
        self.opaque as f64 * 100.0 / counted as f64
    }

    /// Counts others of the same packages to it: the number of packages stays.
    fn count(&mut self, other: &Self) {
        self.bodies += other.bodies;
        self.bytes += other.bytes;
        self.payload += other.payload;
        self.opaque += other.opaque;
    }

    /// Counts those of further packages to it.
    pub fn add(&mut self, other: &Self) {
        self.count(other);
        self.files += other.files;
        self.opaque_files += other.opaque_files;
    }
}

/// The shares of one collection.
#[derive(Debug, Clone, Default)]
pub struct Shares {
    /// By engine, release and class.
    pub classes: BTreeMap<ShareKey, Share>,
    /// By engine; each package counts once.
    pub engines: BTreeMap<Engine, Share>,
    /// By engine and release; each package counts once.
    pub releases: BTreeMap<(Engine, String), Share>,
}

impl Shares {
    /// Counts the bodies of a package, decoded one after the other and not kept. What was opaque is said.
    pub fn add(&mut self, package: &Package) -> Vec<OpaquePart> {
        let mut parts = Vec::new();
        let mut classes = BTreeMap::<String, Share>::new();
        let mut seen = vec![false; package.exports().len()];
        let mut count = |row: usize, opaque: u64, payload: u64| {
            let Some(export) = package.exports().get(row) else { return };
            let class = export.class();
            let class = class.rsplit('.').next().unwrap_or(&class).to_owned();
            let one =
                Share { bodies: 1, bytes: export.size(), opaque, payload, ..Share::default() };
            classes.entry(class).or_default().count(&one);
        };
        package.each_body(|row, decoded| {
            seen[row] = true;
            count(row, decoded.opaque, decoded.payload);
            parts.extend(OpaquePart::of_body(package, row, decoded));
        });
        for row in (0..seen.len()).filter(|row| !seen[*row]) {
            let part = OpaquePart::undecoded(package, row);
            count(row, part.as_ref().map_or(0, |part| part.size), 0);
            parts.extend(part);
        }
        let engine = package.versions().engine();
        let release = release(package);
        let mut whole = Share::default();
        for (class, mut share) in classes {
            whole.count(&share);
            (share.files, share.opaque_files) = (1, (share.opaque > 0).into());
            let key = ShareKey { engine, release: release.clone(), class };
            self.classes.entry(key).or_default().add(&share);
        }
        (whole.files, whole.opaque_files) = (1, (whole.opaque > 0).into());
        self.engines.entry(engine).or_default().add(&whole);
        self.releases.entry((engine, release)).or_default().add(&whole);
        parts
    }
}

/// The release of a package, as far as it can be told.
fn release(package: &Package) -> String {
    let versions = package.versions();
    if versions.ue4() == 0 {
        return format!("{}/{}", versions.file(), versions.licensee());
    }
    let saved_by = &package.summary().saved_by.engine_version;
    match (saved_by.major, versions.release()) {
        (4.., _) => format!("{}.{}", saved_by.major, saved_by.minor),
        (_, Some(release)) => release.to_string(),
        _ => EngineRelease::of_versions(versions.ue4(), versions.ue5()).to_string(),
    }
}
