//! A package that was opened in the form that it has in containers: edits work on what it was cooked from, and it
//! is saved in that form again.

use std::any::Any;
use std::sync::Arc;

use bytes::Bytes;

use super::read::image_of;
use super::write::{ZenPackage, cooked_header_size};
use crate::archive::{Annotate, Archived, Kind, Loader, Record, RecordValue};
use crate::compression::{Around, Container, ContainerForm, Rewrap};
use crate::container::zen::{ScriptPaths, ZenHeader};
use crate::error::{Error, Result};
use crate::package::{OpenOptions, Package};
use crate::version::Versions;

/// What is kept of the file.
#[derive(Debug)]
struct ZenAround {
    versions: Versions,
    header_size: u64,
    /// How many more bytes the header had when it was cooked than the one that was made for it.
    more: i64,
    /// Of the header itself; `None` where it does not say.
    zen: Option<u32>,
    scripts: Option<Arc<ScriptPaths>>,
}

/// Whether a file may start with the header of a zen package: nothing marks it.
pub(crate) fn may_be_zen(source: &[u8]) -> bool {
    let word = |at: usize| source.get(at..)?.first_chunk::<4>().map(|it| u32::from_le_bytes(*it));
    let (Some(says), Some(size)) = (word(0), word(4)) else { return false };
    says <= 1 && (52..=source.len()).contains(&(size as usize))
}

impl OpenOptions {
    /// Opens a zen package; `None` for what is none.
    pub(crate) fn open_zen(&self, file: &Bytes) -> Option<Result<Package>> {
        if !may_be_zen(file) {
            return None;
        }
        let loaded = ZenHeader::load(file, self.written.as_ref());
        match loaded {
            Ok((header, versions)) => Some(self.open_with(&header, versions, file)),
            // It says no versions and fits nothing: anything else starts with such words.
            Err(_) if file.first() == Some(&0) && self.written.is_none() => None,
            Err(error) => Some(Err(error.in_field("zen"))),
        }
    }

    fn open_with(&self, header: &ZenHeader, versions: Versions, file: &Bytes) -> Result<Package> {
        let empty = ScriptPaths::default();
        let scripts = self.scripts.as_deref().unwrap_or(&empty);
        let image = image_of(header, &versions, file, scripts).map_err(|it| it.in_field("zen"))?;
        let mut options = self.clone();
        options.written = Some(versions.clone());
        options.scripts = None;
        let mut package = options.open_bytes(image.clone())?;
        let made = i64::from(cooked_header_size(&package)?);
        let around = ZenAround {
            versions,
            header_size: header.summary.header_size.into(),
            more: i64::from(header.summary.cooked_header_size) - made,
            zen: header.versions.as_ref().map(|said| said.zen),
            scripts: self.scripts.clone(),
        };
        package.container =
            Some(Arc::new(Container::around(file.clone(), image, Arc::new(around))));
        Ok(package)
    }
}

impl Package {
    /// What is kept of a zen package, for one of these versions that is not opened from it.
    pub(in crate::package) fn zen_container(&self, file: &Bytes) -> Option<Result<Arc<Container>>> {
        let mut options = OpenOptions::new();
        options.written = (self.versions.ue5 > 0).then(|| self.versions.clone());
        let package = options.open_zen(file)?;
        let none = || Error::invalid("it is no zen package");
        Some(package.and_then(|package| package.container.ok_or_else(none)))
    }

    /// What the objects of compiled code are called, if it was opened with their names.
    pub(crate) fn script_paths(&self) -> Option<Arc<ScriptPaths>> {
        self.container()?.made_as::<ZenAround>()?.scripts.clone()
    }

    /// Whether this package, opened from `file`, means what `other` does, and is saved to the file again. Its own
    /// header may be another one: a zen package does not say all of it.
    ///
    /// # Errors
    /// What can't be saved.
    pub(crate) fn is_zen_of(&self, other: &Self, file: &Bytes) -> Result<bool> {
        let (ours, theirs) = (self.exports(), other.exports());
        let used = usize::try_from(other.summary().names_referenced_from_export_data_count);
        let names = used.is_ok_and(|used| {
            self.names().len() >= used
                && self.names().iter().zip(other.names().iter()).take(used).all(|(a, b)| a == b)
        });
        let imports = self.imports().len() == other.imports().len()
            && self.imports().iter().zip(other.imports().iter()).all(|(a, b)| a.path() == b.path());
        let exports = ours.len() == theirs.len()
            && ours.iter().zip(theirs.iter()).all(|(a, b)| {
                let (row, their_row) = (a.entry(), b.entry());
                a.path() == b.path()
                    && a.class() == b.class()
                    && a.flags() == b.flags()
                    && a.body() == b.body()
                    && row.super_index == their_row.super_index
                    && row.template_index == their_row.template_index
            });
        Ok(names && imports && exports && self.to_bytes()? == *file)
    }
}

impl Around for ZenAround {
    fn form(&self) -> ContainerForm {
        ContainerForm::Zen
    }

    fn typed(&self) -> u64 {
        self.header_size
    }

    fn fields(&self, file: &[u8]) -> Result<Vec<Record>> {
        let mut loader = Loader::new(file, self.versions.clone());
        let mut annotate = Annotate::new(&mut loader);
        ZenHeader::default().serialize(&mut annotate)?;
        let mut fields = annotate.into_records();
        let (start, end) = (self.header_size, file.len() as u64);
        let (path, type_name, meaning) = ("bodies".to_owned(), "bytes", String::new());
        let value = RecordValue::Span(Kind::Payload);
        fields.push(Record { start, end, path, type_name, value, meaning });
        Ok(fields)
    }

    fn rewrap(&self, new: &Rewrap<'_>) -> Result<Vec<u8>> {
        let mut options = OpenOptions::new();
        options.written = Some(new.versions.clone());
        let package = options.open_bytes(new.image.to_vec())?;
        let (mut header, bodies) = ZenPackage::parts(&package, new.image)?;
        let size = i64::from(header.summary.cooked_header_size) + self.more;
        header.summary.cooked_header_size =
            u32::try_from(size).map_err(|_| Error::invalid("the header became too long"))?;
        if let (Some(versions), Some(zen)) = (&mut header.versions, self.zen) {
            versions.zen = zen;
        }
        let mut bytes = header.to_bytes(package.versions())?;
        bytes.extend_from_slice(bodies);
        Ok(bytes)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
