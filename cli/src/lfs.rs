//! Git LFS: pointers in a repository, and the objects that they stand for.
//!
//! Git hands a merge driver what it has stored, which is the pointer, and a textconv the pointer where LFS is not set up
//! or was told not to fetch. The form of a pointer and the place of its object:
//! <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use sha2::{Digest as _, Sha256};
use unreal_packages::archive::hex;
use unreal_packages::file::{self, FileOrigin, Replacement};

use crate::failure::Failure;

/// Bytes of a pointer at most, as the specification has it.
pub const LONGEST: usize = 1024;
/// The first line; pointers of before 1.0 had the other one.
const VERSIONS: [&str; 2] =
    ["version https://git-lfs.github.com/spec/v1", "version https://hawser.github.com/spec/v1"];

/// A pointer: the hash and the size of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    oid: String,
    size: u64,
}

impl Pointer {
    /// The pointer that these bytes are, if they are one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > LONGEST {
            return None;
        }
        let mut lines = std::str::from_utf8(bytes).ok()?.lines();
        lines.next().filter(|line| VERSIONS.contains(line))?;
        let (mut oid, mut size) = (None, None);
        for line in lines {
            match line.split_once(' ')? {
                ("oid", value) => oid = value.strip_prefix("sha256:"),
                ("size", value) => size = value.parse().ok(),
                _ => {}
            }
        }
        // It becomes a path: nothing but what a hash is written with.
        let is_hash = |oid: &&str| {
            oid.len() == 64 && oid.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        Some(Self { oid: oid.filter(is_hash)?.to_owned(), size: size? })
    }

    /// The pointer that a small file is, if it is one.
    pub fn at(path: &Path) -> Option<Self> {
        let is_small = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= LONGEST as u64);
        let bytes = is_small.then(|| file::read(path).ok()).flatten()?.0;
        Self::parse(&bytes)
    }

    /// The pointer to an object with this content.
    pub fn to(bytes: &[u8]) -> Self {
        Self { oid: hash(bytes), size: bytes.len() as u64 }
    }

    /// Its text, as git stores it.
    pub fn text(&self) -> String {
        format!("{}\noid sha256:{}\nsize {}\n", VERSIONS[0], self.oid, self.size)
    }

    /// The file with the object's content, in the repository that git works in.
    ///
    /// # Errors
    /// An object that is not at hand, or not the one that the pointer names.
    pub fn object(&self) -> Result<PathBuf, Failure> {
        let path = self.place(&store()?);
        let bytes = match file::read_found(&path) {
            Ok((bytes, _)) => bytes,
            Err(error) if error.is_not_found() => {
                return Err(Failure::usage(format!(
                    "it is a pointer of Git LFS, and its object of {} bytes is not here: {}\n  next: git lfs fetch, or \
                     git lfs pull",
                    self.size, self.oid
                )));
            }
            Err(error) => return Err(error.into()),
        };
        if bytes.len() as u64 != self.size || hash(&bytes) != self.oid {
            return Err(Failure::usage(format!(
                "the object of Git LFS is damaged: {}\n  next: git lfs fsck",
                self.oid
            )));
        }
        Ok(path)
    }

    /// Puts the object with this content where LFS finds it, which sends it with the next push.
    ///
    /// # Errors
    /// What keeps it from being written.
    pub fn store(bytes: &[u8]) -> Result<Self, Failure> {
        let pointer = Self::to(bytes);
        let path = pointer.place(&store()?);
        // One that is there has the same content, by its name.
        if !path.is_file() {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            Replacement::new(&path, bytes).origin(FileOrigin::Found).commit()?;
        }
        Ok(pointer)
    }

    fn place(&self, store: &Path) -> PathBuf {
        store.join(&self.oid[..2]).join(&self.oid[2..4]).join(&self.oid)
    }
}

fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The folder of objects: one for all working trees of a repository, unless `lfs.storage` names another.
fn store() -> Result<PathBuf, Failure> {
    let common = git(&["rev-parse", "--git-common-dir"])?.map(PathBuf::from).ok_or_else(|| {
        Failure::usage(
            "it is a pointer of Git LFS, and this is no git repository, which could have its object\n  next: run it in \
             the repository",
        )
    })?;
    let named = git(&["config", "--type=path", "--get", "lfs.storage"])?;
    // A relative path starts at the folder of git.
    Ok(common.join(named.as_deref().unwrap_or("lfs")).join("objects"))
}

/// What git prints; `None` where it says no.
pub fn git(arguments: &[&str]) -> Result<Option<String>, Failure> {
    let done = Process::new("git").args(arguments).output().map_err(|error| {
        let next = "install git, or add it to PATH";
        Failure::usage(format!("git can't be run: {error}\n  next: {next}"))
    })?;
    if done.status.success() {
        let text = String::from_utf8_lossy(&done.stdout);
        return Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()));
    }
    let error = String::from_utf8_lossy(&done.stderr);
    let reason = error.trim();
    match reason.is_empty() || reason.contains("not a git repository") {
        true => Ok(None),
        false => Err(Failure::failed(format!("git {}: {reason}", arguments.join(" ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashes_become_paths() {
        let hash = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let text = |oid: &str| format!("{}\noid sha256:{oid}\nsize 12\n", VERSIONS[0]);
        let pointer = Pointer::parse(text(hash).as_bytes()).unwrap();
        assert_eq!(pointer.text(), text(hash));
        for oid in ["../../../../etc/passwd", &hash[1..], &hash.to_uppercase(), ""] {
            assert_eq!(Pointer::parse(text(oid).as_bytes()), None, "{oid}");
        }
        let long = text(hash) + &"x y\n".repeat(300);
        assert_eq!(Pointer::parse(long.as_bytes()), None);
        assert_eq!(Pointer::to(b"").oid[..8], *"e3b0c442");
    }
}
