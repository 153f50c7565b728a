//! The package map that a server sends to its clients for a level: the packages that both must have.

use std::collections::HashSet;

use super::definition::SERVER_SIDE_ONLY;
use super::{Environment, FileId, native};
use crate::error::{ErrorKind, Result, noun};
use crate::primitive::Guid;
use crate::primitive::PackageFlags;
use crate::table::Generation;

/// The packages of a level in the order in which a server lists them: the level and what it needs, then
/// the configured ones and what they need.
///
/// Spec: ue1-3/07 §7.4; the order within dependencies is inferred.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PackageMap {
    /// The packages that are sent.
    pub entries: Vec<PackageMapEntry>,
    /// Packages that are needed and not sent.
    pub excluded: Vec<Excluded>,
}

/// One package of the list.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PackageMapEntry {
    /// Its name.
    pub name: String,
    /// The GUID by which a client finds its own copy.
    pub guid: Guid,
    /// Package flags.
    pub flags: u32,
    /// Their names.
    pub flag_names: Vec<String>,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// Number of the newest generation; 1 for a package that was never conformed.
    pub generation: usize,
    /// Tables of the newest generation: indices below these counts can be sent.
    pub counts: Generation,
    /// Whether a client may download it; else it must have it.
    pub downloadable: bool,
    /// Why it is listed: the package that needs it, `ServerPackages`, or nothing for the level.
    pub needed_by: Option<String>,
}

/// A package that is not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Excluded {
    /// Its name.
    pub name: String,
    /// Why not.
    pub reason: String,
    /// Whether the server needs it and has no file, so that nobody can play there.
    pub missing: bool,
    /// The package that needs it, or `ServerPackages`.
    pub needed_by: Option<String>,
}

/// Why a package is not sent.
enum Unsent {
    /// There is no file.
    Missing,
    /// Clients do without it, or it can't be read.
    Because(String),
}

impl Environment {
    /// The list for a level, by the name of its package.
    ///
    /// # Errors
    /// `NotFound`, or why the level can't be opened.
    pub fn package_map(&self, level: &str) -> Result<PackageMap> {
        let missing = || ErrorKind::NotFound {
            what: noun::PACKAGE,
            name: level.to_owned(),
            hint: format!("; {} files were searched", self.len()),
        };
        let id = self.find(level).ok_or_else(missing)?;
        self.digest(id)?;
        let mut map = PackageMap::default();
        let mut seen = HashSet::new();
        self.add_to_map(level, None, &mut map, &mut seen);
        for name in &self.settings().server_packages {
            self.add_to_map(name, Some("ServerPackages"), &mut map, &mut seen);
        }
        Ok(map)
    }

    /// The list that has every package: what a server could send for any of its levels.
    pub fn package_map_of_all(&self) -> PackageMap {
        let (mut map, mut seen) = (PackageMap::default(), HashSet::new());
        for (_, file) in self.files() {
            self.add_to_map(&file.name, None, &mut map, &mut seen);
        }
        for name in &self.settings().server_packages {
            self.add_to_map(name, Some("ServerPackages"), &mut map, &mut seen);
        }
        map
    }

    /// A package and what it needs, depth first; without recursion, since chains may be long.
    fn add_to_map(
        &self,
        name: &str,
        needed_by: Option<&str>,
        map: &mut PackageMap,
        seen: &mut HashSet<String>,
    ) {
        let mut waiting = vec![(name.to_owned(), needed_by.map(str::to_owned))];
        while let Some((name, needed_by)) = waiting.pop() {
            if !seen.insert(name.to_ascii_lowercase()) {
                continue;
            }
            match self.map_entry(&name, needed_by.clone()) {
                Ok((entry, needs)) => {
                    let by = entry.name.clone();
                    map.entries.push(entry);
                    waiting.extend(needs.into_iter().rev().map(|need| (need, Some(by.clone()))));
                }
                Err(unsent) => {
                    let (reason, missing) = match unsent {
                        Unsent::Missing => ("no file of this name is found".to_owned(), true),
                        Unsent::Because(reason) => (reason, false),
                    };
                    map.excluded.push(Excluded { name, reason, missing, needed_by });
                }
            }
        }
    }

    /// The entry of a package and the packages that it needs, or why it is not sent.
    fn map_entry(
        &self,
        name: &str,
        needed_by: Option<String>,
    ) -> std::result::Result<(PackageMapEntry, Vec<String>), Unsent> {
        let because = |reason: &str| Unsent::Because(reason.to_owned());
        if native::is_package(name) {
            return Err(because("the engine's code, no file"));
        }
        let id: FileId = self.find(name).ok_or(Unsent::Missing)?;
        let unreadable = |error| Unsent::Because(format!("can't be opened: {error}"));
        let digest = self.digest(id).map_err(unreadable)?;
        if digest.flags & SERVER_SIDE_ONLY != 0 {
            return Err(because("ServerSideOnly: clients do not learn of it"));
        }
        let flags = PackageFlags(digest.flags);
        let entry = PackageMapEntry {
            name: self.file(id).name.to_string(),
            guid: digest.guid,
            flags: digest.flags,
            flag_names: flags.names(digest.engine()),
            bytes: digest.bytes,
            generation: digest.generations.len().max(1),
            counts: digest.generations.last().cloned().unwrap_or(Generation {
                export_count: digest.exports.len() as i32,
                name_count: digest.name_count,
                ..Generation::default()
            }),
            downloadable: PackageFlags::parse("AllowDownload", digest.engine())
                .is_ok_and(|flag| flags.contains(flag)),
            needed_by,
        };
        Ok((entry, digest.packages().into_iter().map(str::to_owned).collect()))
    }
}
