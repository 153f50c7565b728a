//! Server against client: whether one who has these packages can play where those are.

use std::path::PathBuf;

use super::{
    Cache, CacheState, Environment, Excluded, FileId, PackageMap, PackageMapEntry, native,
};
use crate::error::{Error, Result};
use crate::file;
use crate::inspect::mismatches;
use crate::package::Package;
use crate::primitive::Guid;
use crate::version::Engine;

/// What a client has of what a server asks for.
///
/// Server and client agree on a package by its GUID. Of two generations both use the tables of the older one, so that
/// either side may have the newer file. Spec: ue1-3/07 §7.4.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Comparison {
    /// The server's packages in the order of its map, then those of the client alone.
    pub packages: Vec<ComparedPackage>,
    /// What else may be in the way.
    pub findings: Vec<ComparisonFinding>,
}

/// One package on both sides.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ComparedPackage {
    /// Its name.
    pub name: String,
    /// How the two sides stand.
    pub verdict: Verdict,
    /// Whether the client can play in spite of it.
    pub possible: bool,
    /// The server's file.
    pub server: Option<PackageSide>,
    /// The client's file.
    pub client: Option<PackageSide>,
    /// The generation whose tables both use, from 1.
    pub common_generation: Option<usize>,
    /// Bytes that the client downloads, not packed.
    pub download: Option<u64>,
    /// Why, for people; empty where there is nothing to say.
    pub reason: String,
    /// Why the server lists it: the package that needs it, `ServerPackages`, or nothing.
    pub needed_by: Option<String>,
}

/// A package of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PackageSide {
    /// The file.
    pub path: PathBuf,
    /// Its GUID.
    pub guid: Guid,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// Number of the newest generation.
    pub generation: usize,
    /// Whether it lies in the cache of downloads.
    pub cached: bool,
}

/// How a package stands on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Verdict {
    /// The same bytes.
    Same,
    /// The client has none and downloads it.
    Download,
    /// The client has none and may not download it.
    MustHave,
    /// Only the client has one: a server does not ask for it.
    Own,
    /// The client has an older generation.
    ClientOlder,
    /// The client has a newer generation.
    ClientNewer,
    /// One GUID and generation, other bytes, and tables that fit.
    Edited,
    /// One GUID and tables that do not fit: what one side sends the other takes for something else.
    Unfit,
    /// Another package of the same name.
    OtherGuid,
    /// Only servers have it: clients do not learn of it.
    ServerSide,
    /// The server needs it and has no file.
    NotOnServer,
    /// A file can't be opened.
    Unreadable,
}

impl Verdict {
    /// The word for scripts, the same as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Download => "download",
            Self::MustHave => "must-have",
            Self::Own => "own",
            Self::ClientOlder => "client-older",
            Self::ClientNewer => "client-newer",
            Self::Edited => "edited",
            Self::Unfit => "unfit",
            Self::OtherGuid => "other-guid",
            Self::ServerSide => "server-side",
            Self::NotOnServer => "not-on-server",
            Self::Unreadable => "unreadable",
        }
    }
}

/// What else a comparison finds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "finding", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ComparisonFinding {
    /// The ini files are those of two games.
    Games {
        /// The game that the server's ini file names.
        server: String,
        /// The client's.
        client: String,
    },
    /// A file of the client's cache is not as it should be.
    Cache {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[cfg_attr(feature = "serde", serde(flatten))]
        state: CacheState,
    },
    /// The client lacks the library of a package's native classes.
    LibraryMissing {
        /// The package.
        package: String,
        /// The folder without it.
        folder: PathBuf,
    },
}

impl std::fmt::Display for ComparisonFinding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Games { server, client } => {
                write!(f, "two games: the server is {server}, the client {client}")
            }
            Self::Cache { path, state } => write!(f, "{}: {}", path.display(), state.describe()),
            Self::LibraryMissing { package, folder } => {
                let folder = folder.display();
                write!(f, "{package} has native classes, and {folder} has no library for it")
            }
        }
    }
}

impl Comparison {
    /// Whether the client can play there.
    pub fn is_possible(&self) -> bool {
        self.packages.iter().all(|package| package.possible)
    }
}

impl Environment {
    /// Compares this server with a client: the packages of its map for a level, or all of them.
    ///
    /// # Errors
    /// As [`Environment::package_map`]; `Invalid` for packages of UE4 and UE5, whose servers send none.
    pub fn compare(&self, client: &Self, level: Option<&str>) -> Result<Comparison> {
        let first = self.files().find_map(|(id, _)| self.digest(id).ok());
        if first.is_some_and(|digest| digest.engine() >= Engine::Ue4) {
            let reason = "servers of UE4 and UE5 send no list of packages";
            return Err(Error::invalid(reason.to_owned()));
        }
        let map = match level {
            Some(level) => self.package_map(level)?,
            None => self.package_map_of_all(),
        };
        let sides = Sides { server: self, client };
        let mut found = Comparison::default();
        found.packages.extend(map.entries.iter().map(|entry| sides.package(entry)));
        found.packages.extend(map.excluded.iter().filter_map(|it| sides.excluded(it)));
        sides.older_objects(&map, &mut found.packages);
        let is_listed = |name: &str| {
            let same = |one: &str| one.eq_ignore_ascii_case(name);
            map.entries.iter().any(|it| same(&it.name))
                || map.excluded.iter().any(|it| same(&it.name))
        };
        if level.is_none() {
            for (id, file) in client.files().filter(|(id, _)| client.is_found(*id)) {
                if !is_listed(&file.name) {
                    found.packages.push(sides.own(id));
                }
            }
        }
        found.findings = sides.findings();
        Ok(found)
    }
}

/// The game that an ini file is called after: `UnrealTournament.ini`.
fn game(environment: &Environment) -> Option<String> {
    let name = environment.settings().ini.as_ref()?.file_stem()?.to_str()?;
    let is_default = name.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("def"));
    (!is_default).then(|| name.to_owned())
}

struct Sides<'a> {
    server: &'a Environment,
    client: &'a Environment,
}

impl Sides<'_> {
    /// A package that the server lists.
    fn package(&self, entry: &PackageMapEntry) -> ComparedPackage {
        let server = PackageSide {
            path: self
                .server
                .find(&entry.name)
                .map_or_else(PathBuf::new, |id| self.server.file(id).path.clone()),
            guid: entry.guid,
            bytes: entry.bytes,
            generation: entry.generation,
            cached: self.server.find(&entry.name).is_some_and(|id| self.server.is_cached(id)),
        };
        let mut found = ComparedPackage {
            name: entry.name.clone(),
            verdict: Verdict::Same,
            possible: true,
            server: Some(server),
            client: None,
            common_generation: None,
            download: None,
            reason: String::new(),
            needed_by: entry.needed_by.clone(),
        };
        match self.client.find_required(&entry.name, entry.guid) {
            Some(path) => self.compare_files(path, &mut found),
            None => self.without_file(entry, &mut found),
        }
        found
    }

    /// Both sides have the GUID.
    fn compare_files(&self, path: PathBuf, found: &mut ComparedPackage) {
        let Some(server) = found.server.clone() else { return };
        let cached = self.client.cache().is_some_and(|cache: &Cache| cache.holds(&path));
        let unreadable = |found: &mut ComparedPackage, reason: String| {
            (found.verdict, found.possible, found.reason) = (Verdict::Unreadable, false, reason);
        };
        let bytes = match (file::read_found(&server.path), file::read_found(&path)) {
            (Ok((one, _)), Ok((other, _))) => (one == other).then_some(other.len()),
            (Err(error), _) | (_, Err(error)) => return unreadable(found, error.to_string()),
        };
        if let Some(bytes) = bytes {
            let side = PackageSide { path, cached, bytes: bytes as u64, ..server.clone() };
            (found.client, found.common_generation) = (Some(side), Some(server.generation));
            return;
        }
        let open = |environment: &Environment, path| environment.options.open(path);
        let (one, other) = match (open(self.server, &server.path), open(self.client, &path)) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(error), _) | (_, Err(error)) => return unreadable(found, error.to_string()),
        };
        let side = PackageSide {
            path,
            guid: other.guid(),
            bytes: other.file().len() as u64,
            generation: generations(&other),
            cached,
        };
        let generation = side.generation;
        found.client = Some(side.clone());
        if side.guid != server.guid {
            let reason = format!("its name in the cache is not its GUID, {}", side.guid);
            return unreadable(found, reason);
        }
        found.common_generation = Some(generation.min(server.generation));
        let (newer, older) = match generation > server.generation {
            true => (&other, &one),
            false => (&one, &other),
        };
        if let Some(first) = mismatches(newer, older).first() {
            (found.verdict, found.possible) = (Verdict::Unfit, false);
            found.reason = format!("one GUID, but {first}");
            return;
        }
        let (server, client) = (server.generation, generation);
        (found.verdict, found.reason) = match client.cmp(&server) {
            std::cmp::Ordering::Less => (
                Verdict::ClientOlder,
                format!("the client has generation {client} of {server}; both use {client}"),
            ),
            std::cmp::Ordering::Greater => (
                Verdict::ClientNewer,
                format!("the server has generation {server} of {client}; both use {server}"),
            ),
            std::cmp::Ordering::Equal => (
                Verdict::Edited,
                "one GUID and generation, other bytes: it was edited on one side".to_owned(),
            ),
        };
    }

    /// The client has no file with this GUID.
    fn without_file(&self, entry: &PackageMapEntry, found: &mut ComparedPackage) {
        let other = self.client.find(&entry.name);
        let digest = other.map(|id| (id, self.client.digest(id)));
        let server = self.server.find(&entry.name).and_then(|id| self.server.digest(id).ok());
        let is_native = server.is_some_and(|digest| digest.has_native_classes());
        found.verdict = if entry.downloadable { Verdict::Download } else { Verdict::MustHave };
        if let Some((id, digest)) = digest {
            found.verdict = Verdict::OtherGuid;
            match digest {
                Ok(digest) => found.client = Some(side(self.client, id, &digest)),
                Err(error) => {
                    found.verdict = Verdict::Unreadable;
                    found.reason = format!("the client's file can't be opened: {error}; ");
                }
            }
        }
        found.possible = entry.downloadable && !is_native;
        let text = match (found.verdict, entry.downloadable) {
            (_, true) if is_native => {
                found.possible = false;
                "it has native classes: its library can't be downloaded".to_owned()
            }
            (Verdict::OtherGuid, true) => {
                "another package of this name: the client downloads the server's".to_owned()
            }
            (Verdict::OtherGuid, false) => {
                "another package of this name, and this one is not for download".to_owned()
            }
            (_, true) => "the client downloads it".to_owned(),
            (_, false) => "the client must have it: it is not for download".to_owned(),
        };
        found.reason.push_str(&text);
        found.download = found.possible.then_some(entry.bytes);
    }

    /// A package that the server does not send; none for the engine's own code.
    fn excluded(&self, excluded: &Excluded) -> Option<ComparedPackage> {
        if native::is_package(&excluded.name) {
            return None;
        }
        let (verdict, possible) = match (excluded.missing, self.server.find(&excluded.name)) {
            (true, _) => (Verdict::NotOnServer, false),
            (false, Some(id)) if self.server.digest(id).is_err() => (Verdict::Unreadable, false),
            _ => (Verdict::ServerSide, true),
        };
        let client = self.client.find(&excluded.name);
        let client = client.and_then(|id| {
            let digest = self.client.digest(id).ok()?;
            Some(side(self.client, id, &digest))
        });
        let mut found = ComparedPackage {
            name: excluded.name.clone(),
            verdict,
            possible,
            server: None,
            client,
            common_generation: None,
            download: None,
            reason: String::new(),
            needed_by: excluded.needed_by.clone(),
        };
        if verdict == Verdict::ServerSide {
            self.compare_unsent(&mut found);
        }
        let files = std::mem::replace(&mut found.reason, excluded.reason.clone());
        if !files.is_empty() {
            found.reason.push_str("; ");
            found.reason.push_str(&files);
        }
        Some(found)
    }

    /// How the files of a package stand that clients do not learn of: it does not matter, and is said all the same.
    fn compare_unsent(&self, found: &mut ComparedPackage) {
        let Some(id) = self.server.find(&found.name) else { return };
        let Ok(digest) = self.server.digest(id) else { return };
        found.server = Some(side(self.server, id, &digest));
        if let Some(path) = self.client.find_required(&found.name, digest.guid) {
            self.compare_files(path, found);
            (found.verdict, found.possible) = (Verdict::ServerSide, true);
        }
    }

    /// A package of the client alone.
    fn own(&self, id: FileId) -> ComparedPackage {
        let client = self.client.digest(id).map(|digest| side(self.client, id, &digest));
        ComparedPackage {
            name: self.client.file(id).name.to_string(),
            verdict: if client.is_ok() { Verdict::Own } else { Verdict::Unreadable },
            // No server asks for it.
            possible: true,
            server: None,
            reason: client.as_ref().err().map(Error::to_string).unwrap_or_default(),
            client: client.ok(),
            common_generation: None,
            download: None,
            needed_by: None,
        }
    }

    /// An older generation may lack what the client's other packages import.
    fn older_objects(&self, map: &PackageMap, packages: &mut [ComparedPackage]) {
        let is_older = |it: &ComparedPackage| it.verdict == Verdict::ClientOlder;
        if !packages.iter().any(is_older) {
            return;
        }
        for entry in &map.entries {
            let Some(id) = self.server.find(&entry.name) else { continue };
            let Ok(digest) = self.server.digest(id) else { continue };
            for import in self.client.resolve_digest(digest, &entry.name) {
                let same = |name: &str| name.eq_ignore_ascii_case(&import.package);
                let package = packages.iter_mut().find(|it| is_older(it) && same(&it.name));
                if let Some(package) = package.filter(|it| it.possible && !import.is_fine()) {
                    let path = &import.path;
                    let text = format!("; {} needs {path}, which it lacks", entry.name);
                    (package.possible, package.reason) = (false, package.reason.clone() + &text);
                }
            }
        }
    }

    fn findings(&self) -> Vec<ComparisonFinding> {
        let mut findings = Vec::new();
        if let (Some(server), Some(client)) = (game(self.server), game(self.client))
            && !server.eq_ignore_ascii_case(&client)
        {
            findings.push(ComparisonFinding::Games { server, client });
        }
        for fault in self.client.cache().into_iter().flat_map(|it| it.faults(&self.client.options))
        {
            if fault.state != CacheState::NotIndexed {
                findings.push(ComparisonFinding::Cache { path: fault.path, state: fault.state });
            }
        }
        for missing in self.client.missing_libraries() {
            let (package, folder) = (missing.package, missing.folder);
            findings.push(ComparisonFinding::LibraryMissing { package, folder });
        }
        findings
    }
}

/// A file of one side by its tables.
fn side(environment: &Environment, id: FileId, digest: &super::Digest) -> PackageSide {
    PackageSide {
        path: environment.file(id).path.clone(),
        guid: digest.guid,
        bytes: digest.bytes,
        generation: digest.generations.len().max(1),
        cached: environment.is_cached(id),
    }
}

/// Number of the newest generation; 1 for a package that was never conformed.
fn generations(package: &Package) -> usize {
    package.summary().generations.len().max(1)
}
