//! Where a changed package goes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal_packages::container::Containers;

use super::SaveArgs;
use crate::containers::{Patch, is_patch};
use crate::failure::Failure;
use crate::form::Form;
use crate::input;
use crate::output::Output;
use crate::target::Target;

/// Where a changed package goes.
pub(super) enum Place {
    /// Over the package itself.
    Itself(PathBuf),
    /// Elsewhere.
    Elsewhere(Target),
    /// Into a patch for the container that it lies in.
    Patch(Patch),
    /// Into a patch that is written when all of its packages are edited.
    LaterPatch(Arc<Patch>),
}

impl Place {
    /// What reports call it.
    pub(super) fn shown(&self) -> String {
        match self {
            // Through links: the file changes, not the link to it.
            Self::Itself(path) => {
                dunce::canonicalize(path).unwrap_or_else(|_| path.clone()).display().to_string()
            }
            Self::Elsewhere(target) => target.shown(),
            Self::Patch(patch) => patch.shown(),
            Self::LaterPatch(patch) => patch.shown(),
        }
    }
}

impl SaveArgs {
    /// Where a result of this form goes; `None` for a dry run.
    pub(super) fn target(
        &self,
        file: &Path,
        form: Form,
        out: &mut Output,
    ) -> Result<Option<Place>, Failure> {
        if let Some(patch) = self.patch.get() {
            return Ok((!self.dry_run).then(|| Place::LaterPatch(patch.clone())));
        }
        if let Some(output) = self.output.as_ref().filter(|output| is_patch(output)) {
            let patch = Patch::new(output, self.overwrite || self.dry_run, file)?;
            return Ok((!self.dry_run).then_some(Place::Patch(patch)));
        }
        if Containers::split(file).is_some() && self.in_place {
            let next =
                "-o Name_P.pak or Name_P.utoc writes a patch, any other name the package alone";
            return Err(Failure::usage(format!(
                "'{}' lies in a container, which is never changed\n  next: {next}",
                file.display()
            )));
        }
        if let Some(output) = &self.output {
            let overwrite = self.overwrite || self.dry_run;
            let target = Target::for_package(output, overwrite, form, file, out)?;
            return Ok((!self.dry_run).then_some(Place::Elsewhere(target)));
        }
        if self.in_place && input::is_standard(file) {
            let next = "use -o OUT, or -o - for standard output";
            return Err(Failure::usage(format!(
                "standard input can't be changed in place\n  next: {next}"
            )));
        }
        Ok((!self.dry_run).then(|| Place::Itself(file.to_owned())))
    }
}
