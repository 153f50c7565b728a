//! The files of a folder for the objects of a package, by their paths.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::json;
use unreal_packages::content::{ContentKind, PackageContents, Table, TableFormat};
use unreal_packages::edit::Edit;
use unreal_packages::file::safe_file_name;
use unreal_packages::mesh::MeshEdits;

use super::{Import, SAME};
use crate::args;
use crate::channel::ChannelArg;
use crate::command::edit::Change;
use crate::failure::Failure;
use crate::files::parent_of;
use crate::output::count;
use crate::places::stem_of;

/// A folder has no file for any object of a package.
#[derive(Debug)]
pub(super) struct WithoutFiles {
    folder: PathBuf,
}

impl fmt::Display for WithoutFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        write!(
            f,
            "'{folder}' has no file for an object of the package\n  next: `upk extract` writes files with the names \
             that are looked for"
        )
    }
}

impl std::error::Error for WithoutFiles {}

impl WithoutFiles {
    /// Whether a failure says so.
    pub(super) fn is(failure: &Failure) -> bool {
        let (Failure::Usage(error) | Failure::Failed(error)) = failure;
        error.chain().any(|cause| cause.is::<Self>())
    }
}

impl Import {
    /// What the files of an object are called, without what ends it.
    fn stem_of(&self, path: &str) -> String {
        let suffix = self.channel.map(ChannelArg::suffix).unwrap_or_default();
        format!("{}{suffix}", stem_of(path))
    }

    /// Imports what has a file in the folder, by its path there; an object that is named alone may be given a file.
    pub(super) fn import_all(
        &self,
        edit: &mut Edit,
        file: &Path,
        from: &Path,
        object: Option<&str>,
    ) -> Result<Change, Failure> {
        let beside = parent_of(file);
        let wanted = object.map(|object| edit.find_export(object)).transpose()?;
        let (mut files, mut owners) = (Vec::new(), HashMap::new());
        for row in 0..edit.exports().len() {
            if wanted.is_some_and(|wanted| wanted != row) {
                continue;
            }
            let Some(kind) = edit.contents().content_kind(row)? else { continue };
            if self.channel.is_some() && kind != ContentKind::Texture && wanted.is_none() {
                continue;
            }
            // Files of the others are there too, where a whole package was extracted.
            if kind == ContentKind::Mesh && wanted.is_none() && !edit.takes_mesh(row)? {
                continue;
            }
            if !from.is_dir() {
                files.push((row, from.to_owned()));
                continue;
            }
            let path = edit.exports().path(row);
            match files_of(edit, row, kind, &from.join(self.stem_of(&path))).as_slice() {
                [] => {}
                [file] => {
                    // Names that are no names of files, or differ in case alone, may meet in one.
                    if let Some(other) =
                        owners.insert(file.to_string_lossy().to_lowercase(), path.clone())
                        && wanted.is_none()
                    {
                        let file = file.display();
                        return Err(Failure::usage(format!(
                            "'{file}' may be for {other} or {path}\n  next: name the object"
                        )));
                    }
                    files.push((row, file.clone()));
                }
                [one, other, ..] => {
                    let (one, other) = (one.display(), other.display());
                    return Err(Failure::usage(format!(
                        "'{one}' and '{other}' are both for one object\n  next: keep one of them"
                    )));
                }
            }
        }
        if files.is_empty() {
            return Err(Failure::Failed(WithoutFiles { folder: from.to_owned() }.into()));
        }
        if let (false, [one, other, ..]) = (from.is_dir(), files.as_slice()) {
            let (one, other) = (edit.exports().path(one.0), edit.exports().path(other.0));
            return Err(Failure::usage(format!(
                "{one} and {other} have content\n  next: name the object that the file is for"
            )));
        }
        let (mut lines, mut changes) = (Vec::new(), Vec::new());
        let smaller = files.iter().filter(|(_, file)| has_smaller_sizes(file)).count() as u64;
        for (row, file) in files {
            let bytes = args::read(&file)?;
            let path = edit.exports().path(row);
            let (kind, facts, text) = match self.import(edit, row, &bytes) {
                // What is not made here may come out all the same.
                Err(_) if is_extracted(edit, row, &bytes, beside) => {
                    let kind = edit.contents().content_kind(row)?.map(|kind| kind.to_string());
                    (kind, json!({ "changed": false }), SAME.to_owned())
                }
                imported => imported?,
            };
            lines.push(format!("{path}: {text}"));
            changes
                .push(json!({ "export": row, "path": path, "content": kind, "bytes": bytes.len(),
                                 "file": file.display().to_string(), "facts": facts }));
        }
        if smaller > 0 {
            let textures = count(smaller, "texture", "textures");
            lines.push(format!("care: files of smaller sizes (~mip1) of {textures} are not read: they are made of the largest"));
        }
        Ok(Change { text: lines.join("\n"), json: json!({ "kind": "import", "imports": changes }) })
    }
}

/// Whether `upk extract --all-mips` has written files of smaller sizes beside the largest.
fn has_smaller_sizes(file: &Path) -> bool {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push("~mip1.png");
    file.with_file_name(name).is_file()
}

/// Whether `upk extract` makes these bytes of an object as it is.
fn is_extracted(edit: &Edit, row: usize, file: &[u8], beside: &Path) -> bool {
    let contents = edit.contents();
    if contents.content_file_beside(row, &[beside]).is_ok_and(|made| made.bytes == file) {
        return true;
    }
    match contents.content_kind(row) {
        Ok(Some(ContentKind::Table)) => {
            let format = TableFormat::detect(file);
            let is = |table: Table| table.file(format).is_ok_and(|bytes| bytes == file);
            contents.table(row).is_ok_and(|table| is(table.clone()) || is(table.with_types()))
        }
        Ok(Some(ContentKind::Texture)) => {
            contents.texture_dds(row, &[beside]).is_ok_and(|bytes| bytes == file)
        }
        _ => false,
    }
}

/// The files of an object that are there; `stem` is their path without what ends it.
fn files_of(edit: &Edit, row: usize, kind: ContentKind, stem: &Path) -> Vec<PathBuf> {
    let file = |extension: &str| {
        let mut path = stem.as_os_str().to_owned();
        path.push(".");
        path.push(extension);
        Some(PathBuf::from(path)).filter(|path| path.is_file())
    };
    let files: Vec<_> = extensions(kind).iter().filter_map(|extension| file(extension)).collect();
    if !files.is_empty() {
        return files;
    }
    // Sounds and music may be stored in any format, which is what their files end in.
    let stored = match kind {
        ContentKind::Sound => edit.contents().sound_file(row),
        ContentKind::Music => edit.contents().music_file(row),
        _ => return files,
    };
    stored.ok().and_then(|(extension, _)| file(&safe_file_name(&extension))).into_iter().collect()
}

/// Extensions of files that an object can be given.
fn extensions(kind: ContentKind) -> &'static [&'static str] {
    match kind {
        ContentKind::Texture => &["png", "bmp", "pcx", "tga", "jpg", "jpeg", "hdr", "exr", "dds"],
        ContentKind::Sound => &["wav", "ogg", "flac"],
        ContentKind::Music => &["it", "xm", "s3m", "mod", "umx", "ogg"],
        ContentKind::Text => &["txt", "uc"],
        ContentKind::Table => &["csv", "json", "xlsx"],
        ContentKind::Mesh => &["glb", "gltf"],
        _ => &[],
    }
}
