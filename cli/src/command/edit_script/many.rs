//! A file of edits on many packages.

use std::path::{Path, PathBuf};

use unreal_packages::file::Run;

use super::EditScript;
use super::statements::{Statement, Unmet, are_for, meaningless};
use crate::command::edit::{EachPackage, Edited, ManyPackages};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::input;
use crate::output::Output;

/// The statements with the command that does them.
struct Edits<'a> {
    command: &'a EditScript,
    statements: &'a [Statement],
}

impl EditScript {
    /// Edits every package that the paths mean.
    pub(super) fn edit_many(&self, statements: &[Statement], out: &mut Output) -> CommandResult {
        let mut many = ManyPackages::collect(&self.save, &self.packages, out)?;
        for (line, patterns) in meaningless(statements, &many.paths()) {
            let patterns = patterns.join(" or ");
            many.fail(format!("line {line}: no package is called like {patterns}"), out)?;
        }
        many.files.retain(|(path, _): &(PathBuf, _)| are_for(statements, path));
        let run = self.started_run(&many.paths())?;
        many.edit(run, &Edits { command: self, statements }, out)
    }

    /// The run that lists the backups of these packages, if there is one.
    pub(super) fn started_run(&self, files: &[&Path]) -> Result<Option<Run>, Failure> {
        let stem = self.script.file_stem().filter(|_| !input::is_standard(&self.script));
        let stem = stem.map_or_else(|| "edit".into(), |stem| stem.to_string_lossy());
        self.save.start_run(files, self.run.as_deref(), &stem)
    }
}

impl EachPackage for Edits<'_> {
    fn edit(&self, path: &Path, out: &mut Output) -> Result<(Edited, usize), Failure> {
        let (edited, left_out) = self.command.edit(self.statements, path, out)?;
        Ok((edited, left_out.len()))
    }

    fn leaves_alone(
        &self,
        path: &Path,
        failure: &Failure,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let Some(unmet) = Unmet::of(failure) else { return Ok(false) };
        unmet.report(path, out)?;
        Ok(true)
    }

    fn left_alone(&self) -> (&'static str, Outcome) {
        ("left alone", Outcome::Wrong)
    }

    fn lists_same(&self) -> bool {
        true
    }
}
