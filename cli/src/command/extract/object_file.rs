//! The files of an object.

use std::path::Path;

use unreal_packages::Result;
use unreal_packages::content::{ContentKind, GraphTexts, PackageContents};
use unreal_packages::error::ErrorKind;
use unreal_packages::inspect::PackageValues;
use unreal_packages::mesh::{ActorXOutput, Mesh, MeshObjects, MeshOptions, PackageMeshes};
use unreal_packages::package::Package;

use super::kind::{KindArg, class_name, is_graph, is_mesh, is_model, is_shape, no_content};
use super::{Extract, psk};
use crate::files::parent_of;

/// An object as a file.
pub(super) struct ObjectFile {
    /// What stands behind the object's name.
    pub suffix: String,
    pub extension: String,
    pub bytes: Vec<u8>,
    pub note: Option<String>,
}

/// What becomes of an object.
pub(super) enum Extracted {
    /// It has no file, or not of a kind that was asked for.
    Nothing,
    Files(Option<ContentKind>, Vec<ObjectFile>),
    /// It should have one.
    Refused(unreal_packages::Error),
}

impl Extract {
    /// What becomes of an object, which is decoded once.
    pub(super) fn extracted(
        &self,
        package: &Package,
        row: usize,
        named: Option<usize>,
        graphs: Option<&GraphTexts<'_>>,
    ) -> Result<Extracted> {
        let is_text =
            !self.raw && (self.is_graph() || named == Some(row) && is_graph(package, row));
        let kind = match is_text {
            true => Some(ContentKind::Graph),
            false => package.contents().content_kind(row)?,
        };
        let is_kind = |kind| match self.kind {
            Some(wanted) => wanted.is(kind),
            None => !is_model(package, row),
        };
        let wanted = self.raw || kind.is_some_and(is_kind);
        if !wanted && named != Some(row) {
            // A mesh is content as well, though nothing writes those of this class.
            let is_passed = kind.is_none() && self.kind.is_none() && is_mesh(package, row);
            return Ok(match is_passed {
                true => Extracted::Refused(no_content(package, row)),
                false => Extracted::Nothing,
            });
        }
        let files = match self.psk && is_shape(kind) {
            true => self.psk(package, row, kind),
            false => self.file_of(package, row, kind, graphs).map(|file| vec![file]),
        };
        let mut files = match files {
            Ok(files) => files,
            Err(error) => return Ok(Extracted::Refused(error)),
        };
        if self.all_mips && kind == Some(ContentKind::Texture) {
            match self.mips(package, row) {
                Ok(mips) => files.extend(mips),
                Err(error) => return Ok(Extracted::Refused(error)),
            }
        }
        Ok(Extracted::Files(kind, files))
    }

    /// A mesh, or an animation with its bones.
    fn mesh(&self, package: &Package, row: usize, kind: Option<ContentKind>) -> Result<Mesh> {
        let objects = self.known.objects.get().map(|objects| objects as &dyn MeshObjects);
        let options = MeshOptions {
            lods: self.lod.unwrap_or_default(),
            folders: &[self.folder()],
            objects,
            known: Some(&self.known.skeletons),
            played: false,
            collision: self.collision,
        };
        match kind {
            Some(ContentKind::Animation) => package.animation(row, &options),
            _ => package.mesh(row, &options),
        }
    }

    /// A mesh or animation as files of Unreal's importers.
    fn psk(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
    ) -> Result<Vec<ObjectFile>> {
        let file = |(suffix, made): (String, ActorXOutput)| {
            let note = (!made.notes.is_empty()).then(|| made.notes.join(", "));
            let extension = made.extension.to_owned();
            ObjectFile { suffix, extension, bytes: made.bytes, note }
        };
        let files = psk::files(&self.mesh(package, row, kind)?);
        let files = files.map_err(|error| {
            let (path, class) = (package.exports().path(row), class_name(package, row));
            unreal_packages::Error::from(ErrorKind::Invalid {
                reason: format!("{path} ({class}): {error}"),
            })
        })?;
        Ok(files.into_iter().map(file).collect())
    }

    pub(super) fn is_graph(&self) -> bool {
        matches!(self.kind, Some(KindArg::Graph))
    }

    /// The smaller sizes of a texture that are here, each as a picture.
    fn mips(&self, package: &Package, row: usize) -> Result<Vec<ObjectFile>> {
        let contents = package.contents();
        let folder = self.folder();
        let mut files = Vec::new();
        for size in 1..contents.texture_sizes(row)?.len() {
            let (extension, bytes) = contents.texture_size_file(row, size, &[folder])?;
            let suffix = format!("~mip{size}");
            files.push(ObjectFile { suffix, extension, bytes, note: None });
        }
        Ok(files)
    }

    fn file_of(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
        graphs: Option<&GraphTexts<'_>>,
    ) -> Result<ObjectFile> {
        let file = |extension: &str, bytes, note| ObjectFile {
            suffix: String::new(),
            extension: extension.to_owned(),
            bytes,
            note,
        };
        if self.raw {
            return Ok(file("bin", package.body(row)?.to_vec(), None));
        }
        if kind.is_none() {
            return Err(no_content(package, row));
        }
        if kind == Some(ContentKind::Graph) {
            let known = self.known.graphs.get().and_then(|known| {
                Some(&known[known.binary_search_by_key(&row, |it| it.row).ok()?])
            });
            let made = match (graphs, known) {
                (Some(texts), Some(graph)) => texts.file(graph)?,
                _ => {
                    let graph = package.values().stored_graph(row)?;
                    package.contents().graph_texts()?.file(&graph)?
                }
            };
            return Ok(file(&made.extension, made.bytes, made.note));
        }
        if let Some(channel) = self.channel.filter(|_| kind == Some(ContentKind::Texture)) {
            let picture = package.contents().texture_image(row)?;
            let bytes = picture.channel(channel.channel())?.to_png()?;
            return Ok(ObjectFile { suffix: channel.suffix(), ..file("png", bytes, None) });
        }
        if self.dds && kind == Some(ContentKind::Texture) {
            return Ok(file("dds", package.contents().texture_dds(row, &[self.folder()])?, None));
        }
        if kind == Some(ContentKind::Table) {
            let table = package.contents().table(row)?;
            let table = if self.types { table.with_types() } else { table };
            let bytes = table.file(self.tables)?;
            return Ok(file(self.tables.slug(), bytes, None));
        }
        if is_shape(kind) {
            let mesh = self.mesh(package, row, kind)?;
            let note = (!mesh.notes.is_empty()).then(|| mesh.notes.join(", "));
            return Ok(file("glb", mesh.to_glb()?, note));
        }
        if self.decode && kind == Some(ContentKind::Sound) {
            return Ok(file("wav", package.contents().decoded_sound(row)?, None));
        }
        let made = package.contents().content_file_beside(row, &[self.folder()])?;
        Ok(file(&made.extension, made.bytes, made.note))
    }

    /// The folder of the package, where texture file caches lie.
    fn folder(&self) -> &Path {
        parent_of(&self.file)
    }
}
