//! Digests of packages: a few in memory, the others in a temporary file.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Digest, FileId};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors, Unsupported};
use crate::version::UnrealVersions;
use crate::{Archived, Loader, Saver, Versions};

/// Digests that stay in memory.
const RECENT: usize = 48;

/// Keeps what was learned about each file, whatever their number.
#[derive(Debug)]
pub(super) struct Store {
    opened: AtomicU64,
    inner: Mutex<StoreState>,
}

#[derive(Debug, Default)]
struct StoreState {
    places: Vec<DigestState>,
    recent: VecDeque<(FileId, Arc<Digest>)>,
    spill: Option<File>,
    end: u64,
}

#[derive(Debug, Clone, Default)]
enum DigestState {
    #[default]
    Unknown,
    /// Can't be opened, and why; by which rule, where the kind of file is known but not supported.
    Failed(Box<str>, Option<Unsupported>),
    Spilled(u64, u32),
}

/// Digests are stored in a form of their own, which lives as long as the program.
fn versions() -> Versions {
    Versions::ue1_to_3(868, 0)
}

impl Store {
    pub fn new(files: usize) -> Self {
        let inner =
            StoreState { places: vec![DigestState::Unknown; files], ..StoreState::default() };
        Self { opened: AtomicU64::new(0), inner: Mutex::new(inner) }
    }

    pub fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, StoreState> {
        // What is written is complete at every step; another thread's panic spoils nothing.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The facts about a file; `open` reads them.
    pub fn get(&self, id: FileId, open: impl FnOnce() -> Result<Digest>) -> Result<Arc<Digest>> {
        if let Some(known) = self.lock().get(id) {
            return known;
        }
        // Not under the lock: other threads open other files meanwhile.
        self.opened.fetch_add(1, Ordering::Relaxed);
        let opened = open();
        self.lock().put(id, opened)
    }
}

impl StoreState {
    fn get(&mut self, id: FileId) -> Option<Result<Arc<Digest>>> {
        if let Some(at) = self.recent.iter().position(|(known, _)| *known == id) {
            let found = self.recent.remove(at)?;
            self.recent.push_front(found.clone());
            return Some(Ok(found.1));
        }
        match self.places.get(id.0 as usize)? {
            DigestState::Unknown => None,
            DigestState::Failed(reason, unsupported) => {
                let reason = reason.to_string();
                Some(Err(match *unsupported {
                    Some(why) => Error::unsupported_by(why, reason),
                    None => Error::invalid(reason),
                }))
            }
            &DigestState::Spilled(start, size) => {
                // A temporary file that can't be read any more is as if the package was not known.
                let digest = Arc::new(self.read(start, size).ok()?);
                self.remember(id, digest.clone());
                Some(Ok(digest))
            }
        }
    }

    fn put(&mut self, id: FileId, opened: Result<Digest>) -> Result<Arc<Digest>> {
        let place = id.0 as usize;
        let mut digest = match opened {
            Ok(digest) => digest,
            Err(error) => {
                let (text, unsupported) = match error.unreal() {
                    Some(UnrealError::Unsupported { why, reason }) => (reason.clone(), Some(*why)),
                    _ => (error.to_string(), None),
                };
                self.places[place] = DigestState::Failed(text.into(), unsupported);
                return Err(error);
            }
        };
        if let Ok((start, size)) = self.write(&mut digest) {
            self.places[place] = DigestState::Spilled(start, size);
        }
        let digest = Arc::new(digest);
        self.remember(id, digest.clone());
        Ok(digest)
    }

    fn remember(&mut self, id: FileId, digest: Arc<Digest>) {
        self.recent.push_front((id, digest));
        self.recent.truncate(RECENT);
    }

    fn write(&mut self, digest: &mut Digest) -> Result<(u64, u32)> {
        let mut saver = Saver::new(versions());
        digest.serialize(&mut saver)?;
        let bytes = saver.into_bytes();
        let (start, io) = (self.end, |error| crate::Error::io(&std::env::temp_dir(), error));
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(tempfile::tempfile().map_err(io)?),
        };
        spill.seek(SeekFrom::Start(start)).map_err(io)?;
        spill.write_all(&bytes).map_err(io)?;
        self.end += bytes.len() as u64;
        let too_long = ErrorKind::OutOfRange { value: bytes.len() as i128, bits: 32 };
        Ok((start, u32::try_from(bytes.len()).map_err(|_| too_long)?))
    }

    fn read(&mut self, start: u64, size: u32) -> Result<Digest> {
        let io = |error| crate::Error::io(&std::env::temp_dir(), error);
        let mut bytes = vec![0; size as usize];
        if let Some(spill) = &mut self.spill {
            spill.seek(SeekFrom::Start(start)).map_err(io)?;
            spill.read_exact(&mut bytes).map_err(io)?;
        }
        let mut digest = Digest::default();
        digest.serialize(&mut Loader::new(&bytes, versions()))?;
        digest.index();
        Ok(digest)
    }
}
