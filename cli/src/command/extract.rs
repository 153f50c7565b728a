//! `upk extract`: objects as files.

mod place;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use farchive::content::ContentKind;
use farchive::package::Package;
use serde_json::json;

use self::place::Places;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped};
use crate::progress;

/// Write objects to files: textures as PNG, sounds as WAV, music as modules, texts and source code
///
/// Groups become folders. A texture with a palette becomes an indexed PNG with that palette, so that
/// `upk import` of the unchanged file changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk extract Mine.utx -o Pictures
  upk extract Mine.utx Walls.Rough -o Pictures
  upk extract Mine.u -o Out --kind text
  upk extract Mine.u '#12' -o Out --raw        the bytes as they stand in the package")]
pub struct Extract {
    /// The package
    file: PathBuf,
    /// Only this object or what is in this group: its path, or its row as #12
    object: Option<String>,
    /// The folder to write to
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Only objects of this kind
    #[arg(long, value_enum, conflicts_with = "raw")]
    kind: Option<KindArg>,
    /// The bytes of each object as they stand in the package
    #[arg(long)]
    raw: bool,
    /// Replace files that are there
    #[arg(long)]
    overwrite: bool,
    /// Report what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// `--kind`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum KindArg {
    /// Pictures
    Texture,
    /// Sounds
    Sound,
    /// Modules
    Music,
    /// Texts and source code
    Text,
}

impl KindArg {
    fn is(self, kind: ContentKind) -> bool {
        matches!(
            (self, kind),
            (Self::Texture, ContentKind::Texture)
                | (Self::Sound, ContentKind::Sound)
                | (Self::Music, ContentKind::Music)
                | (Self::Text, ContentKind::Text)
        )
    }
}

impl Extract {
    /// Writes one file after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut package = self.open.open(&self.file)?;
        package.decode_all();
        let (rows, named) = self.rows(&package)?;
        let mut places = Places::new(&self.output);
        let (mut written, mut passed) = (0, 0);
        let bar = progress::bar(rows.len(), "objects");
        for row in rows {
            bar.inc(1);
            let kind = package.content_kind(row)?;
            let wanted = self.raw || kind.is_some_and(|kind| self.kind.is_none_or(|k| k.is(kind)));
            if !wanted && named != Some(row) {
                continue;
            }
            match self.file_of(&package, row, kind) {
                Ok((extension, bytes)) => {
                    self.write(&package, row, kind, &extension, &bytes, &mut places, out)?;
                    written += 1;
                }
                // What was asked for by name must come.
                Err(error) if named == Some(row) => return Err(error.into()),
                Err(error) => {
                    passed += 1;
                    self.pass_over(&package, row, &error, out)?;
                }
            }
        }
        bar.finish_and_clear();
        if !out.is_json() {
            let verb = if self.dry_run { "would write" } else { "wrote" };
            let files = count(written, "file", "files");
            let folder = self.output.display();
            let rest = match passed {
                0 => String::new(),
                passed => format!("; {} not extracted", count(passed, "object", "objects")),
            };
            out.line(format!("{verb} {files} to {folder}{rest}"))?;
        }
        Ok(Outcome::Fine)
    }

    /// The rows that are asked for, and the one that is asked for by name unless it is a group.
    fn rows(&self, package: &Package) -> Result<(Vec<usize>, Option<usize>), Failure> {
        let all = 0..package.exports().len();
        let Some(object) = &self.object else { return Ok((all.collect(), None)) };
        let row = package.find_export(object)?;
        let group = package.exports().path(row).to_ascii_lowercase() + ".";
        let inside =
            |row: &usize| package.exports().path(*row).to_ascii_lowercase().starts_with(&group);
        let rows: Vec<_> = all.filter(inside).collect();
        let is_content = package.content_kind(row)?.is_some();
        match rows.is_empty() || is_content || self.raw {
            true => Ok((vec![row], Some(row))),
            false => Ok((rows, None)),
        }
    }

    fn file_of(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
    ) -> farchive::Result<(String, Vec<u8>)> {
        if self.raw {
            return Ok(("bin".to_owned(), package.body(row)?.to_vec()));
        }
        if kind.is_none() {
            let path = package.exports().path(row);
            let reason =
                format!("{path} is no texture, sound, music or text; --raw writes its bytes");
            return Err(farchive::ErrorKind::Invalid { reason }.into());
        }
        package.content_file(row).map(|file| (file.extension, file.bytes))
    }

    #[allow(clippy::too_many_arguments, reason = "one row's facts, used once")]
    fn write(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
        extension: &str,
        bytes: &[u8],
        places: &mut Places,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let path = package.exports().path(row);
        let file = places.take(&path, extension);
        if !self.dry_run {
            place::write(&file, bytes, self.overwrite)?;
        }
        let shown = file.display().to_string();
        let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
        if out.is_json() {
            let kind = kind.filter(|_| !self.raw).map(|kind| kind.to_string());
            return out.object(&json!({ "row": row, "object": path, "class": class, "kind": kind,
                                       "file": shown, "bytes": bytes.len() }));
        }
        out.line(format!("{path} ({class}) to {shown}, {} bytes", grouped(bytes.len() as u64)))
    }

    fn pass_over(
        &self,
        package: &Package,
        row: usize,
        error: &farchive::Error,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let reason = error.to_string();
        if out.is_json() {
            let path = package.exports().path(row);
            return out.object(&json!({ "row": row, "object": path, "not_extracted": reason }));
        }
        out.line(format!("not extracted: {reason}"))
    }
}
