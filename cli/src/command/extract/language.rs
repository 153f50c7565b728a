//! Files that are no packages and become tables: texts of a language, registries of assets.

use serde_json::json;
use unreal_packages::content::ContentKind;

use super::Extract;
use crate::command::texts::Texts;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};
use crate::places::Places;

impl Extract {
    /// Writes such a file as a table.
    pub(super) fn texts(&self, texts: &Texts, out: &mut Output) -> CommandResult {
        let is_other = self.kind.is_some_and(|kind| !kind.is(ContentKind::Table));
        let is_other = is_other
            || self.dds
            || self.channel.is_some()
            || self.types
            || self.all_mips
            || self.lod.is_some()
            || self.psk;
        if self.object.is_some() || self.raw || is_other {
            let next = "name the file alone, with --tables at most; `upk get` prints single ones";
            let (file, (_, what)) = (self.file.display(), texts.nouns());
            return Err(Failure::usage(format!(
                "'{file}' holds {what}, no objects\n  next: {next}"
            )));
        }
        let table = texts.table()?;
        let bytes = table.file(self.tables)?;
        let mut places = Places::new(&self.output, self.overwrite, self.dry_run, out);
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy().replace('.', "_");
        let file = places.take(&stem, self.tables.slug())?;
        let is_written = places.try_write(&file, &bytes, out)?;
        places.finish(out)?;
        let (shown, rows) = (places.shown(&file), table.rows().len());
        match out.is_json() {
            true => out.object(&json!({ "kind": "table", "file": shown, "rows": rows,
                                        "bytes": bytes.len() }))?,
            false => {
                let verb = if self.dry_run { "would write" } else { "wrote" };
                let (one, many) = texts.nouns();
                let rows = count(rows as u64, one, many);
                out.summary(format!("{verb} {rows} to {shown}"))?;
            }
        }
        Ok(if is_written { Outcome::Fine } else { Outcome::Wrong })
    }
}
