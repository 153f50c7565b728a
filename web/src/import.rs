//! Files put into objects: pictures, sounds, texts, tables.

use bytes::Bytes;
use serde::Deserialize;
use unreal_packages::Error;
use unreal_packages::content::{
    ContentEdits, ContentKind, PackageContents, ReplaceTexture, TableChange, TableEdits,
    TableFormat, TextureChange, TextureEdits,
};
use unreal_packages::edit::Edit;

use crate::failure::{Failure, Result};
use crate::tree::grouped;

/// The treatment of colours that the palette lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PaletteChoice {
    /// The nearest of the palette that is there.
    Nearest,
    /// A palette for this texture alone.
    Own,
}

/// A file for an object, as `upk import` takes it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Import {
    pub object: String,
    /// The file's name, for the command.
    pub file: String,
    #[serde(default)]
    pub palette: Option<PaletteChoice>,
    /// Stores all sizes of a texture of UE3 in the package.
    #[serde(default)]
    pub inline: bool,
    /// The file's bytes, sent with the request.
    #[serde(skip)]
    pub bytes: Bytes,
}

impl Import {
    /// Replaces the object's content; returns the change in words.
    pub fn carry_out(&self, edit: &mut Edit) -> Result<String> {
        let row = edit.find_export(&self.object)?;
        let path = edit.exports().path(row);
        let text = match edit.contents().content_kind(row)? {
            Some(ContentKind::Texture) => self.picture(edit, row)?,
            Some(ContentKind::Table) => table_text(&edit.replace_table(
                row,
                &self.bytes,
                TableFormat::detect(&self.bytes),
            )?),
            _ => match edit.replace_content(row, &self.bytes, &self.options())? {
                true => format!("{} bytes from {}", grouped(self.bytes.len()), self.file),
                false => "the content is the one that is there".to_owned(),
            },
        };
        Ok(format!("{path}: {text}"))
    }

    /// The arguments of `upk import` behind the package.
    pub fn words(&self) -> Vec<&str> {
        let mut words = vec![self.object.as_str(), self.file.as_str()];
        match self.palette {
            Some(PaletteChoice::Nearest) => words.push("--keep-palette"),
            Some(PaletteChoice::Own) => words.push("--own-palette"),
            None => {}
        }
        if self.inline {
            words.push("--inline");
        }
        words
    }

    fn options(&self) -> ReplaceTexture {
        ReplaceTexture {
            keep_palette: self.palette == Some(PaletteChoice::Nearest),
            own_palette: self.palette == Some(PaletteChoice::Own),
            inline: self.inline,
        }
    }

    fn picture(&self, edit: &mut Edit, row: usize) -> Result<String> {
        let options = self.options();
        let change = edit
            .replace_picture(row, &self.bytes, &options)
            .map_err(|error| self.refused(edit, row, error))?;
        Ok(match change {
            TextureChange { resized: true, .. } => {
                "a picture of another size, all mips made anew".to_owned()
            }
            TextureChange { palette: true, .. } => "a new palette, all texels made anew".to_owned(),
            TextureChange { texels: 0, .. } => "the picture is the one that is there".to_owned(),
            TextureChange { texels: 1, .. } => "1 texel changed".to_owned(),
            TextureChange { texels, .. } => format!("{} texels changed", grouped(texels)),
        })
    }

    /// Adds the option that would let the picture in, if there is one, as the failure's kind: the page offers it.
    fn refused(&self, edit: &Edit, row: usize, error: Error) -> Failure {
        let would = |options| edit.clone().replace_picture(row, &self.bytes, &options).is_ok();
        let options = self.options();
        let (kind, next) =
            if self.palette.is_none() && would(ReplaceTexture { own_palette: true, ..options }) {
                ("palette", "Take the nearest colours, or give the texture a palette of its own.")
            } else if !self.inline && would(ReplaceTexture { inline: true, ..options }) {
                ("inline", "Store all sizes in the package.")
            } else {
                return error.into();
            };
        Failure { kind, ..Failure::new(error.to_string(), next) }
    }
}

/// The changes of a table in words.
fn table_text(change: &TableChange) -> String {
    let counts = [
        (change.cells, "cell changed", "cells changed"),
        (change.added, "row added", "rows added"),
        (change.removed, "row removed", "rows removed"),
    ];
    let mut parts: Vec<String> = counts
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| {
            format!("{} {}", grouped(number), if number == 1 { one } else { many })
        })
        .collect();
    if change.reordered {
        parts.push("rows in another order".to_owned());
    }
    if change.namespace {
        parts.push("another namespace".to_owned());
    }
    match parts.is_empty() {
        true => "the table is the one that is there".to_owned(),
        false => parts.join(", "),
    }
}
