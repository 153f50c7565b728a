//! Files that were opened and are no packages: they have no rows, and later scans open them where they have changed.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Lines, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::TableKind;
use super::manifest::{HashedFile, Manifest};
use super::shard::{draft_of, rename};
use crate::error::{Error, Result};
use crate::file::{self, FileOrigin, SCAN_OTHERS};

/// What the first line begins with; the settings of the scan follow, since a key or a game makes packages of files.
const HEAD: &str = "farchive others 1 ";
/// The number in the name of the list until it is whole: no shard has it.
const DRAFT: u64 = u64::MAX - 1;

/// A file that is no package, as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NonPackage {
    pub path: String,
    pub bytes: u64,
    pub modified: i64,
}

impl NonPackage {
    fn of_line(line: &str) -> Option<Self> {
        let mut words = line.splitn(3, ' ');
        let (bytes, modified) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Self { path: words.next()?.to_owned(), bytes, modified })
    }
}

/// What the last scan has listed, in the order of the paths.
pub(super) struct KnownOthers {
    lines: Option<Lines<BufReader<File>>>,
    next: Option<NonPackage>,
}

impl KnownOthers {
    /// The list of a folder; none where it was brought along, since what it names would not be opened.
    pub fn open(folder: &Path, manifest: &Manifest, settings: &str) -> Self {
        let path = folder.join(SCAN_OTHERS);
        let is_own = manifest.was_proven() && manifest.owns(&path);
        let file = is_own.then(|| file::open(&path, FileOrigin::Found).ok()).flatten();
        let mut lines = file.map(|(file, _)| BufReader::new(file).lines());
        let head = lines.as_mut().and_then(|lines| lines.next()?.ok());
        if head.is_none_or(|head| head.strip_prefix(HEAD) != Some(settings)) {
            lines = None;
        }
        let mut known = Self { lines, next: None };
        known.advance();
        known
    }

    /// The list of a scan that opens every file.
    pub fn none() -> Self {
        Self { lines: None, next: None }
    }

    fn advance(&mut self) {
        let line = self.lines.as_mut().and_then(|lines| lines.next()?.ok());
        self.next = line.and_then(|line| NonPackage::of_line(&line));
    }

    /// What is known of a file; those before it are passed.
    pub fn go_to(&mut self, path: &str) -> Option<NonPackage> {
        while self.next.as_ref().is_some_and(|next| Path::new(&next.path) < Path::new(path)) {
            self.advance();
        }
        self.next.clone().filter(|next| next.path == path)
    }
}

/// The list that this scan makes.
pub(super) struct NewOthers {
    folder: PathBuf,
    manifest: Arc<Manifest>,
    draft: PathBuf,
    out: BufWriter<HashedFile>,
    files: u64,
}

impl NewOthers {
    pub fn new(folder: &Path, manifest: &Arc<Manifest>, settings: &str) -> Result<Self> {
        manifest.check_own(&folder.join(SCAN_OTHERS))?;
        let draft = draft_of(folder, manifest.drafts(), TableKind::Packages, DRAFT);
        // What an update left that has failed.
        let _ = std::fs::remove_file(&draft);
        let mut out = BufWriter::new(HashedFile::new(file::create_new(&draft)?));
        writeln!(out, "{HEAD}{settings}").map_err(|error| Error::io(&draft, error))?;
        let (folder, manifest) = (folder.to_owned(), manifest.clone());
        Ok(Self { folder, manifest, draft, out, files: 0 })
    }

    /// Adds files, which come behind those before.
    pub fn add(&mut self, mut files: Vec<NonPackage>) -> Result<()> {
        files.sort_by(|a, b| Path::new(&a.path).cmp(Path::new(&b.path)));
        for NonPackage { path, bytes, modified } in
            files.iter().filter(|it| !it.path.contains('\n'))
        {
            let line = writeln!(self.out, "{bytes} {modified} {path}");
            line.map_err(|error| Error::io(&self.draft, error))?;
            self.files += 1;
        }
        Ok(())
    }

    /// Gives the list its name.
    pub fn finish(self) -> Result<()> {
        let path = self.folder.join(SCAN_OTHERS);
        if self.files == 0 {
            std::fs::remove_file(&self.draft).map_err(|error| Error::io(&self.draft, error))?;
            return self.manifest.remove(&path);
        }
        let written = self.out.into_inner();
        let written = written.map_err(|error| Error::io(&self.draft, error.into_error()))?;
        let (hash, bytes) = written.end();
        self.manifest.note(&[(path.clone(), hash, bytes)])?;
        rename(&self.draft, &path)
    }
}
