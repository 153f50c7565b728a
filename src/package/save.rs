//! Saving: every section from the model, at the place that the layout gives it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::{LayoutChoice, LayoutKind, Package, Section, SectionPlace};
use crate::archive::{Archive, Archived, Context, Saver, Span};
use crate::error::{Error, ErrorKind, Result};

/// How a package is saved.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    pub(super) layout: LayoutChoice,
    pub(super) strict: bool,
    pub(super) force: bool,
    pub(super) version: Option<u32>,
}

impl SaveOptions {
    /// The usual way: the layout is chosen, and bodies without visible file positions may move.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses this layout or refuses.
    #[must_use]
    pub fn layout(mut self, layout: LayoutChoice) -> Self {
        self.layout = layout;
        self
    }

    /// Moves no body that is not decoded unless its class is known to hold no file positions.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Moves bodies whatever they hold. They may be corrupt afterwards.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Saves for this file version of the same engine: see [`Package::converted`].
    #[must_use]
    pub fn version(mut self, file: u32) -> Self {
        self.version = Some(file);
        self
    }

    /// The same for the version that the package then has.
    fn without_version(&self) -> Self {
        Self { version: None, ..self.clone() }
    }
}

/// On which ground a body was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ground {
    /// Its bytes are the caller's.
    Replaced,
    /// It is decoded to its last byte: file positions in it are written anew.
    Decoded,
    /// Its class is known to hold no file positions.
    ClassWithoutPositions,
    /// Its bytes show none of the shapes that file positions take.
    NoPositionsSeen,
    /// The caller asked for it.
    Forced,
}

/// A body that stands elsewhere now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moved {
    /// Row of the export table.
    pub export: usize,
    /// Old start, from the start of the file.
    pub from: u64,
    /// New start, from the start of the file.
    pub to: u64,
    /// Why that is safe.
    pub ground: Ground,
}

/// What a save did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SaveReport {
    /// The layout that was used.
    pub layout: LayoutKind,
    /// Bodies that stand elsewhere now.
    pub moved: Vec<Moved>,
}

/// A saved package.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was done.
    pub report: SaveReport,
}

impl Saved {
    /// Writes the bytes beside `path` and renames them over it, so that a failure leaves what was there.
    ///
    /// # Errors
    /// `Io`.
    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<()> {
        write_file(path.as_ref(), &self.bytes)
    }
}

impl Package {
    /// The package as bytes, rebuilt from the model.
    ///
    /// # Errors
    /// `Refused` with the objects that stand in the way when saving would corrupt them; otherwise the
    /// field that can't be stored.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.save(&SaveOptions::new())?.bytes)
    }

    /// The package as bytes with a report.
    ///
    /// # Errors
    /// As [`Package::to_bytes`].
    pub fn save(&self, options: &SaveOptions) -> Result<Saved> {
        match options.version {
            Some(file) => self.converted(file)?.into_saved(&options.without_version()),
            None => self.clone().save_over(&self.source, options),
        }
    }

    /// As [`Package::save`] without a copy of the model: for packages that are not needed afterwards.
    ///
    /// # Errors
    /// As [`Package::to_bytes`].
    pub fn into_saved(self, options: &SaveOptions) -> Result<Saved> {
        if options.version.is_some() {
            return self.save(options);
        }
        let source = self.source.clone();
        self.save_over(&source, options)
    }

    /// Saves to a file: written beside it and renamed over it, so that a failure leaves what was there.
    ///
    /// # Errors
    /// As [`Package::to_bytes`], and `Io`.
    pub fn save_file(&self, path: impl AsRef<Path>, options: &SaveOptions) -> Result<SaveReport> {
        let saved = self.save(options)?;
        saved.write_file(path)?;
        Ok(saved.report)
    }

    /// As [`Package::save`], but with the characters, bodies and gaps of another source of the same
    /// length: the proof that nothing but [`Package::spans`] is taken from it.
    ///
    /// # Errors
    /// As [`Package::to_bytes`]; `Invalid` when the lengths differ.
    #[doc(hidden)]
    pub fn save_with_source(&self, source: &[u8], options: &SaveOptions) -> Result<Saved> {
        if source.len() != self.source.len() {
            let reason = "the other source has another length".to_owned();
            return Err(ErrorKind::Invalid { reason }.into());
        }
        let mut copy = self.clone();
        copy.claims();
        copy.source = source.to_vec().into();
        copy.save_over(source, options)
    }

    /// `self` is the working copy: offsets are settled in it.
    fn save_over(mut self, source: &[u8], options: &SaveOptions) -> Result<Saved> {
        // Asked for first: the layout gives the rows of this copy new offsets.
        let bodies: Vec<Span> = (0..self.exports.len()).map(|row| self.body_span(row)).collect();
        let layout = self.lay_out(options)?;
        self.apply(&layout)?;
        let length = usize::try_from(layout.length).map_err(|_| ErrorKind::OutOfRange {
            value: layout.length.into(),
            bits: usize::BITS,
        })?;
        let mut out = vec![0; length];
        let context = Arc::new(Context::new(self.source.clone(), Vec::new()));
        let in_place = layout.kind == LayoutKind::InPlace;
        if in_place {
            self.copy_unmoved(source, &mut out)?;
        }
        // In reverse, so that where sections share bytes the first claim has the last word.
        for place in layout.places.iter().rev() {
            let (start, end) = (place.start as usize, place.end() as usize);
            let target = out.get_mut(start..end);
            let Some(target) = target else {
                let (start, end, length) = (place.start, place.end(), layout.length);
                return Err(ErrorKind::OutsideSource { start, end, length }.into());
            };
            match place.section {
                // Copied above, each byte once however bodies overlap.
                Section::Body(row) if in_place && !self.is_rebuilt(row as usize) => {}
                Section::Body(row) if self.decoded.contains_key(&(row as usize)) => {
                    let body = self.save_body(row as usize, place, &context)?;
                    if body.len() != target.len() {
                        let (left, size) = (body.len() as u64, place.size);
                        let error = Error::from(ErrorKind::LeftOver { left, size });
                        return Err(error.at_index(row as usize).in_field("bodies"));
                    }
                    target.copy_from_slice(&body);
                }
                Section::Body(row) => {
                    target.copy_from_slice(bodies[row as usize].bytes(source)?);
                }
                section => {
                    let mut saver = Saver::new(self.versions.clone())
                        .at(place.start)
                        .with_capacity(target.len())
                        .with_context(context.clone());
                    self.serialize_section(section, &mut saver)?;
                    let written = saver.bytes().len() as u64;
                    if written != place.size {
                        let (left, size) = (place.size.abs_diff(written), place.size);
                        let error = saver.error(ErrorKind::LeftOver { left, size });
                        return Err(error.in_field(section.step()));
                    }
                    target.copy_from_slice(saver.bytes());
                }
            }
        }
        let report = SaveReport { layout: layout.kind, moved: layout.moved };
        Ok(Saved { bytes: out, report })
    }

    /// Whether a body is not simply a range of the source.
    fn is_rebuilt(&self, row: usize) -> bool {
        self.replaced.contains_key(&row) || self.decoded.contains_key(&row)
    }

    /// A decoded body as bytes that stand at `place`.
    fn save_body(
        &mut self,
        row: usize,
        place: &SectionPlace,
        context: &Arc<Context>,
    ) -> Result<Vec<u8>> {
        let mut saver = Saver::new(self.versions.clone())
            .at(place.start)
            .with_capacity(place.size as usize)
            .with_context(context.clone());
        if let Some(decoded) = self.decoded.get_mut(&row) {
            let saved = decoded.body.serialize(&mut saver);
            saved.map_err(|error| error.at_index(row).in_field("bodies"))?;
        }
        Ok(saver.into_bytes())
    }

    /// Bodies and gaps of an in-place save: the ranges that they own alone.
    fn copy_unmoved(&self, source: &[u8], out: &mut [u8]) -> Result<()> {
        let claims = self.claims();
        let bodies = claims
            .owned
            .iter()
            .filter(|(_, section)| {
                matches!(section, Section::Body(row) if !self.is_rebuilt(*row as usize))
            })
            .map(|(range, _)| range);
        for range in bodies.chain(&claims.gaps) {
            let range = range.start as usize..range.end as usize;
            match (source.get(range.clone()), out.get_mut(range)) {
                (Some(from), Some(to)) => to.copy_from_slice(from),
                _ => return Err(ErrorKind::Invalid { reason: "a shorter source".into() }.into()),
            }
        }
        Ok(())
    }
}

/// Writes beside `path` and renames over it; keeps the permissions of a file that is there.
fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    write_file_by(path, |file| file.write_all(bytes))
}

/// The same with what writes the bytes: nothing stands at `path` that has not been written whole.
fn write_file_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let fail = |error: std::io::Error| Error::io(path, error);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".upk-").tempfile_in(folder).map_err(fail)?;
    write(&mut file).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    match std::fs::metadata(path) {
        Ok(old) => file.as_file().set_permissions(old.permissions()).map_err(fail)?,
        Err(_) => set_default_permissions(file.as_file()).map_err(fail)?,
    }
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Temporary files are private; a saved package is an ordinary file.
#[cfg(unix)]
fn set_default_permissions(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_default_permissions(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Builder;

    /// Takes `left` bytes, then fails as a full disk does; looks at the target after every byte, as
    /// someone would who comes after a crash at that place.
    struct Full<'a> {
        disk: &'a mut dyn Write,
        left: usize,
        look: &'a dyn Fn(),
    }

    impl Write for Full<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            (self.look)();
            let Some(byte) = bytes.first().filter(|_| self.left > 0) else {
                return Err(std::io::ErrorKind::StorageFull.into());
            };
            self.left -= 1;
            self.disk.write_all(&[*byte])?;
            self.disk.flush()?;
            Ok(1)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.disk.flush()
        }
    }

    /// A save that ends after any number of bytes leaves the old file, or no file where there was none,
    /// and nothing beside it.
    #[test]
    fn a_save_that_is_cut_short_leaves_what_was_there() {
        let old = Builder::new(69).name("Old").build().unwrap();
        let new = Builder::new(69).name("A_new_name").name("Another").build().unwrap();
        for there in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("Mod.u");
            if there {
                std::fs::write(&path, &old).unwrap();
            }
            let expected = there.then_some(old.clone());
            let read = || std::fs::read(&path).ok();
            let look = || assert_eq!(read(), expected);
            for left in 0..=new.len() {
                let result =
                    write_file_by(&path, |disk| Full { disk, left, look: &look }.write_all(&new));
                if left < new.len() {
                    assert!(matches!(result.unwrap_err().kind(), ErrorKind::Io { .. }), "{left}");
                    look();
                    let beside = std::fs::read_dir(folder.path()).unwrap().count();
                    assert_eq!(beside, usize::from(there), "{left}");
                } else {
                    result.unwrap();
                    assert_eq!(read().as_ref(), Some(&new));
                }
            }
        }
    }
}
