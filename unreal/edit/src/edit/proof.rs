//! Whether bodies that come from elsewhere are read in a package as they were written.

use std::sync::Arc;

use bytes::Bytes;

use super::Edit;
use crate::archive::{Archive, ArchiveExt, Archived, Context, Loader, Outline, Saver};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::{Body, Shape};
use crate::version::UnrealVersions;

impl Edit {
    /// Proves that the decoded bodies of these rows are read as what they are when the package is opened again:
    /// what is read depends on its custom versions, its classes and its tables.
    ///
    /// # Errors
    /// `Refused` with the objects of which that is not so.
    pub(super) fn prove_bodies(&self, rows: impl Iterator<Item = usize>) -> Result<()> {
        let context = self.decoding_context();
        let mut source = Vec::new();
        let mut written = Vec::new();
        for row in rows {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let start = source.len() as u64;
            let (bytes, sum) = self.outline(&mut decoded.body.clone(), start, &context)?;
            source.extend_from_slice(&bytes);
            written.push((row, start, bytes, sum));
        }
        let source = Bytes::from(source);
        let context = Arc::new((*context).clone().with_source(source.clone()));
        let mut wrong = Vec::new();
        for (row, start, bytes, sum) in written {
            let end = start + bytes.len() as u64;
            let shape = Shape { end, ..self.shape(row, &self.class_chain(row)) };
            let mut body = Body::blank(shape);
            let mut loader = Loader::new(&source, self.versions().of_bodies())
                .with_context(self.scoped(row, &context));
            let read = loader.seek(&source, start, end).and_then(|()| {
                loader.part(end - start, &mut |ar| body.serialize(ar))?;
                self.outline(&mut body, start, &context)
            });
            if !read.is_ok_and(|read| read == (bytes, sum)) || loader.opaque() > 0 {
                wrong.push(self.exports().path(row));
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        let reason = "they would be read as something else here: the packages were saved by different \
                      builds of the engine, or what says how they are stored is not here";
        Err(Error::refused(reason, wrong))
    }

    /// A body as bytes that start here, and a sum over its fields, their types and their values.
    pub(super) fn outline(
        &self,
        body: &mut Body,
        start: u64,
        context: &Arc<Context>,
    ) -> Result<(Vec<u8>, u64)> {
        let versions = self.versions().of_bodies();
        let mut saver = Saver::new(versions).at(start).with_context(context.clone());
        let mut outline = Outline::new(&mut saver);
        body.serialize(outline.as_dyn())?;
        let sum = outline.sum();
        Ok((saver.into_bytes(), sum))
    }
}
