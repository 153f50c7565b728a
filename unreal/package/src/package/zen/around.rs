//! A package that was opened in the form that it has in containers: edits work on what it was cooked from, and it
//! is saved in that form again.

use std::any::Any;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::context::ZenContext;
use super::imports::SCRIPTS;
use super::read::image_of;
use super::read_imports::KnownNames;
use super::write::{ZenParts, cooked_header_size};
use super::{bodies, kept};
use crate::archive::{Annotate, Archived, Kind, Loader, Record, RecordValue};
use crate::compression::{Container, ContainerForm, FileAround, Rewrap};
use crate::container::zen::{ImportNames, KnownObjects, ZenForm, ZenHeader, ZenTarget};
use crate::error::{Error, Result};
use crate::package::{OpenOptions, Package};
#[cfg(feature = "json")]
use crate::version::UnrealVersions;
use crate::version::Versions;

/// The parts of the file that are kept.
#[derive(Debug)]
pub(super) struct ZenAround {
    pub header: ZenHeader,
    pub versions: Versions,
    /// How many names the package had when it was opened.
    pub names: usize,
    file: Bytes,
    image: Bytes,
    /// How many more bytes the header had when it was cooked than the one that was made for it.
    more: i64,
    known: ZenKnown,
    /// Whether all of the file follows from the package.
    follows: OnceLock<bool>,
}

/// The knowledge beside a zen package, for callers that open it again.
#[derive(Debug, Clone, Default)]
pub(crate) struct ZenKnown {
    pub import_names: Option<Arc<dyn ImportNames>>,
    pub imported: Option<Arc<[u64]>>,
    /// The names that imports have already: only the package itself has those that came with edits.
    pub own: Option<Arc<KnownObjects>>,
    /// How many more bytes the header had when it was cooked than the one of the package has.
    pub more: Option<i64>,
}

impl OpenOptions {
    /// Opens a zen package; `None` for what is none.
    pub(crate) fn open_zen(&self, file: &Bytes) -> Option<Result<Package>> {
        if !ZenHeader::may_start(file) {
            return None;
        }
        let opened = ZenHeader::load(file, self.written.as_ref())
            .and_then(|(header, versions)| self.open_with(header, versions, file));
        Some(opened.map_err(|error| error.in_field("zen")))
    }

    fn open_with(&self, header: ZenHeader, versions: Versions, file: &Bytes) -> Result<Package> {
        let known = KnownNames {
            names: self.zen.import_names.as_deref(),
            own: self.zen.own.as_deref(),
            imported: self.zen.imported.as_deref(),
        };
        let image = image_of(&header, &versions, file, known)?;
        let mut options = self.clone();
        options.written = Some(versions.clone());
        options.zen = ZenKnown::default();
        let mut package = options.open_bytes(image.clone())?;
        let around = ZenAround {
            names: package.names().len(),
            more: match self.zen.more {
                Some(more) => more,
                None => {
                    i64::from(header.summary.cooked_header_size)
                        - i64::from(cooked_header_size(&package)?)
                }
            },
            header,
            versions,
            file: file.clone(),
            image: image.clone(),
            known: self.zen.clone(),
            follows: OnceLock::new(),
        };
        package.container =
            Some(Arc::new(Container::around(file.clone(), image, Arc::new(around))));
        Ok(package)
    }
}

impl Package {
    /// The kept parts of a zen package, for one of these versions that is not opened from it.
    #[cfg(feature = "json")]
    pub(in crate::package) fn zen_container(
        &self,
        file: &Bytes,
        more: Option<i64>,
    ) -> Option<Result<Arc<Container>>> {
        let mut options = OpenOptions::new();
        options.zen.more = more;
        options.written = (self.versions.ue4() > 0).then(|| self.versions.clone());
        let package = options.open_zen(file)?;
        let none = || Error::invalid("it is no zen package");
        Some(package.and_then(|package| package.container.ok_or_else(none)))
    }

    /// The knowledge beside it from when it was opened.
    pub(crate) fn zen_known(&self) -> ZenKnown {
        let around = self.container().and_then(Container::made_as::<ZenAround>);
        let known = |around: &ZenAround| ZenKnown {
            own: Some(Arc::new(self.import_names())),
            more: None,
            ..around.known.clone()
        };
        around.map(known).unwrap_or_default()
    }

    /// The names of imports.
    fn import_names(&self) -> KnownObjects {
        let mut names = KnownObjects::default();
        for import in self.imports().iter().filter(|import| import.is_known()) {
            let (path, class) = (import.path(), import.class());
            match path.split_once('.') {
                _ if path.starts_with(SCRIPTS) => names.add_script(&path, Some(&class)),
                Some((package, inner)) => names.add_export(package, inner, Some(&class)),
                None => names.add_package(&path),
            }
        }
        names
    }

    /// How many more bytes its header had when it was cooked than it has now.
    #[cfg(feature = "json")]
    pub(in crate::package) fn zen_more(&self) -> Option<i64> {
        self.container()?.made_as::<ZenAround>().map(|around| around.more)
    }

    /// Whether this package, opened from `file`, means what `other` does, and is saved to the file again. Its own
    /// header may be another one: a zen package does not say all of it.
    ///
    /// # Errors
    /// The error of a header that can't be saved.
    #[doc(hidden)]
    pub fn is_zen_of(&self, other: &Self, file: &Bytes) -> Result<bool> {
        let (ours, theirs) = (self.exports(), other.exports());
        let header = self.container().and_then(Container::zen_header);
        let mut used = header.map_or(0, |header| header.names.texts.len());
        // What only the header calls the package was added behind the other names.
        let own = header.map(|header| [header.summary.name.row, header.summary.source_name.row]);
        while let Some(last) = used.checked_sub(1)
            && own.is_some_and(|own| own.contains(&(last as u32)))
            && self.names().get(last) != other.names().get(last)
        {
            used = last;
        }
        let used = used.min(other.names().len());
        let names = self.names().len() >= used
            && self.names().iter().zip(other.names().iter()).take(used).all(|(a, b)| a == b);
        // Which import stands for which package it does not say: what lies in them has the right one.
        let both = self.imports().iter().zip(other.imports().iter());
        let both = both.map(|(a, b)| (a.path(), b.path())).filter(|(a, b)| a != b);
        let (mut here, mut there): (Vec<_>, Vec<_>) = both.unzip();
        here.sort_unstable();
        there.sort_unstable();
        let imports = self.imports().len() == other.imports().len()
            && here == there
            && here.iter().all(|path| !path.contains('.'));
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

impl Container {
    /// The header of the zen package that it is.
    pub fn zen_header(&self) -> Option<&ZenHeader> {
        Some(&self.made_as::<ZenAround>()?.header)
    }
}

impl ZenAround {
    /// The header and bodies of a package as the engine makes them.
    fn made_anew(&self, package: &Package, image: &[u8]) -> Result<Vec<u8>> {
        let script = |target: ZenTarget| match target {
            ZenTarget::Script(hash) => Some(hash),
            _ => None,
        };
        let imports = self.header.imports.iter();
        let scripts: HashSet<u64> = imports.filter_map(|it| script(it.target())).collect();
        let ZenParts { mut header, bodies, .. } =
            ZenContext::new().parts(package, image, &scripts)?;
        let size = i64::from(header.summary.cooked_header_size) + self.more;
        header.summary.cooked_header_size =
            u32::try_from(size).map_err(|_| Error::invalid("the header became too long"))?;
        if let (Some(new), Some(old)) = (&mut header.versions, &self.header.versions) {
            new.zen = old.zen;
        }
        let mut bytes = header.to_bytes(package.versions())?;
        bytes.extend_from_slice(&bodies);
        Ok(bytes)
    }

    fn opened(&self, image: &[u8], versions: &Versions) -> Result<Package> {
        let mut options = OpenOptions::new();
        options.written = Some(versions.clone());
        options.open_bytes(image.to_vec())
    }

    /// Whether all of the file follows from the package, as it does for those that the engine made.
    fn follows(&self) -> bool {
        *self.follows.get_or_init(|| {
            let package = self.opened(&self.image, &self.versions);
            let made = package.and_then(|package| self.made_anew(&package, &self.image));
            made.is_ok_and(|made| made == self.file)
        })
    }
}

impl FileAround for ZenAround {
    fn form(&self) -> ContainerForm {
        ContainerForm::Zen
    }

    fn typed(&self) -> u64 {
        self.header.size()
    }

    fn fields(&self, file: &[u8]) -> Result<Vec<Record>> {
        let mut loader = Loader::new(file, self.versions.clone());
        let mut annotate = Annotate::new(&mut loader);
        ZenHeader::default().serialize(&mut annotate)?;
        let mut fields = annotate.into_records();
        let form = ZenForm::of(&self.versions);
        let (ranges, end) = bodies::ranges(&self.header, form, file.len())?;
        let mut bodies: Vec<_> = ranges.into_iter().enumerate().collect();
        bodies.sort_by_key(|(_, range)| range.start);
        let rest = end as u64..file.len() as u64;
        let bodies = bodies
            .into_iter()
            .map(|(row, range)| (format!("bodies[{row}]"), range.start as u64..range.end as u64));
        for (path, range) in bodies.chain([("rest".to_owned(), rest)]) {
            if !range.is_empty() {
                let (type_name, meaning) = ("bytes", String::new());
                let value = RecordValue::Span(Kind::Payload);
                fields.push(Record {
                    start: range.start,
                    end: range.end,
                    path,
                    type_name,
                    value,
                    meaning,
                    role: None,
                });
            }
        }
        Ok(fields)
    }

    fn rewrap(&self, new: &Rewrap<'_>) -> Result<Vec<u8>> {
        let package = self.opened(new.image, new.versions)?;
        if ZenForm::of(&self.versions).has_bundles() {
            return kept::save(&package, new.image, self, &self.file);
        }
        if self.follows() {
            return self.made_anew(&package, new.image);
        }
        // Where objects come or go the order is made anew.
        kept::save(&package, new.image, self, &self.file)
            .or_else(|_| self.made_anew(&package, new.image))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
