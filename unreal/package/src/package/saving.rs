//! A save under way.

use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;

use super::decode::Decoded;
use super::drafts::{Drafts, Look};
use super::section::in_section;
use super::settled::Settled;
use super::{Package, SaveOptions, Section};
use crate::archive::{Archive, Archived, Context, Counter};
use crate::error::{Error, Result};
use crate::property::PackageContext;
use crate::table::{Tables, save_depends};

/// A package for a save.
pub(super) enum Lent<'a> {
    /// Others use it as well: what is written is copied, one body or row at a time, since one function writes and
    /// loads a type.
    Shared(&'a Package),
    /// The only user: bodies and tables are written from where they are.
    Own(&'a mut Package),
}

impl Deref for Lent<'_> {
    type Target = Package;

    fn deref(&self) -> &Package {
        match self {
            Self::Shared(package) => package,
            Self::Own(package) => package,
        }
    }
}

impl Lent<'_> {
    /// The decoded body of an export, to be written.
    pub fn take_body(&mut self, row: usize) -> Option<Arc<Decoded>> {
        match self {
            Self::Shared(package) => package.bodies.decoded.shared(row).cloned(),
            Self::Own(package) => package.bodies.decoded.take(row),
        }
    }

    /// The body is written.
    pub fn return_body(&mut self, row: usize, body: Arc<Decoded>) {
        if let Self::Own(package) = self {
            package.bodies.decoded.set(row, Some(body));
        }
    }
}

/// A save under way: the package, and what follows from how it is saved.
pub(super) struct Saving<'a> {
    pub package: Lent<'a>,
    pub options: &'a SaveOptions,
    /// Where characters, undecoded bodies and gaps are taken from.
    pub source: Bytes,
    pub settled: Settled,
    pub drafts: Drafts<'a>,
}

impl<'a> Saving<'a> {
    /// Begins; with `look` bodies that are not decoded are, for this alone.
    ///
    /// # Errors
    /// `Invalid` where the other source has another length.
    pub fn new(
        package: Lent<'a>,
        options: &'a SaveOptions,
        look: Option<Look<'a>>,
    ) -> Result<Self> {
        let source = match &options.source {
            Some(source) if source.len() != package.source.len() => {
                return Err(Error::invalid("the other source has another length"));
            }
            Some(source) => source.clone(),
            None => package.source.clone(),
        };
        package.claims();
        let settled = Settled::of(&package);
        let context = Arc::new(Context::new(source.clone(), Vec::new()));
        let context = package.with_bulk_data_start(&package.tables.summary, &context);
        let mut drafts = Drafts::new(&package.versions, context);
        if let Some(look) = look {
            drafts = drafts.decoding(&package, look);
        }
        Ok(Self { package, options, source, settled, drafts })
    }

    /// The source for spans.
    pub fn source_context(&self) -> Arc<Context> {
        Arc::new(Context::new(self.source.clone(), Vec::new()))
    }

    /// Hands one section of the header to an archive that saves or counts, with what is settled.
    pub fn save_section<A: Archive + ?Sized>(
        &mut self,
        section: Section,
        ar: &mut A,
    ) -> Result<()> {
        in_section(section, ar, |ar| self.save_rows(section, ar))
    }

    fn save_rows<A: Archive + ?Sized>(&mut self, section: Section, ar: &mut A) -> Result<()> {
        let Self { package, settled, .. } = self;
        let is_shared = matches!(package, Lent::Shared(_));
        match section {
            Section::ThumbnailImage(row) => settled.tables.images[row as usize].1.serialize(ar),
            Section::Body(_) | Section::Gap(_) => package.save_range(section, ar),
            listed if Settled::has(listed) => settled.tables.serialize_listed(listed, ar),
            Section::Exports if is_shared || settled.has_export_rows() => {
                settled.save_exports(&package.tables.exports, ar)
            }
            Section::Depends if is_shared => save_depends(&package.tables.depends, ar),
            listed => match package {
                Lent::Own(package) => package.tables.serialize_listed(listed, ar),
                Lent::Shared(package) => {
                    // Beside the settled header, which has its count.
                    settled.tables.copy_section(listed, &package.tables);
                    let saved = settled.tables.serialize_listed(listed, ar);
                    settled.tables.copy_section(listed, &Tables::default());
                    saved
                }
            },
        }
    }

    /// How many bytes a section takes that stands at `start`.
    pub fn count_section(
        &mut self,
        section: Section,
        start: u64,
        context: &Arc<Context>,
    ) -> Result<u64> {
        let mut counter =
            Counter::new(self.package.versions.clone()).at(start).with_context(context.clone());
        self.save_section(section, &mut counter)?;
        Ok(counter.length())
    }
}
