//! The packages of a folder, each with a folder of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::json;
use unreal_packages::environment::is_passed_over;
use unreal_packages::scan::FileOrigin;

use super::{Extract, ExtractSums};
use crate::command::verify::without_panic_messages;
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::input;
use crate::output::{KeptOutput, Output, count};
use crate::progress;
use crate::taken::TakenNames;

/// Packages of one batch for each thread, of which what is said is kept.
const AHEAD: usize = 4;

/// What has become of a package.
enum PackageEnd {
    Done(ExtractSums),
    /// A file that is none.
    NoPackage,
    Failed(Failure),
}

impl Extract {
    /// Writes the objects of all packages, as many at a time as there are threads.
    pub(super) fn folder_of_packages(&self, out: &mut Output) -> CommandResult {
        if self.object.is_some() {
            let next = "name the package that has the object, or --kind for all of a kind";
            let folder = self.file.display();
            return Err(Failure::usage(format!("'{folder}' is a folder\n  next: {next}")));
        }
        if input::is_standard(&self.output) {
            let next = "name a folder with -o";
            return Err(Failure::usage(format!("standard output takes one file\n  next: {next}")));
        }
        let Collected { files, unlisted, unopened } = collect(std::slice::from_ref(&self.file))?;
        let files: Vec<_> =
            files.into_iter().filter(|(path, _)| !containers::is_many(path)).collect();
        let mut names = TakenNames::default();
        let folders = files.iter().map(|(path, _)| self.output_of(path, &mut names));
        let folders = folders.collect::<Result<Vec<_>, _>>()?;
        let (mut sums, mut packages) = (ExtractSums::default(), 0);
        let mut unread = (unlisted.len() + unopened.len()) as u64;
        let unopened = unopened.into_iter().map(|(path, error)| (path, error.to_string()));
        for (path, reason) in unlisted.into_iter().chain(unopened) {
            out.warn(format!("{}: {reason}", path.display()))?;
        }
        // What is wrong with a configuration is said before the first package.
        files.iter().try_for_each(|(path, _)| self.open.options(path).map(drop))?;
        if let Some((path, _)) = files.first() {
            // Read once for all threads.
            self.open.environment(path)?;
        }
        let bar = progress::bar(files.len(), "packages");
        let is_json = out.is_json();
        let jobs: Vec<_> = files.iter().zip(&folders).collect();
        for jobs in jobs.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            let one = |((path, origin), folder): &(&(PathBuf, FileOrigin), &PathBuf)| {
                let end = self.one_of_many(path, *origin, folder, is_json);
                bar.inc(1);
                end
            };
            let ends: Vec<(KeptOutput, PackageEnd)> =
                without_panic_messages(|| jobs.par_iter().map(one).collect());
            for (((path, _), _), (kept, end)) in jobs.iter().zip(ends) {
                out.say_kept(&kept)?;
                match end {
                    PackageEnd::Done(done) => {
                        packages += 1;
                        sums.add(&done);
                    }
                    PackageEnd::NoPackage => {}
                    PackageEnd::Failed(failure) => {
                        unread += 1;
                        let (reason, _) = failure.parts();
                        let path = path.display().to_string();
                        match is_json {
                            true => {
                                out.object(&json!({ "package": path, "not_extracted": reason }))?;
                            }
                            false => out.line(format!("not extracted: {path}: {reason}"))?,
                        }
                    }
                }
            }
        }
        bar.finish_and_clear();
        let of = format!(" of {}", count(packages, "package", "packages"));
        self.report(&sums, &of, out)?;
        if unread > 0 && !is_json {
            out.summary(format!("  {} not read", count(unread, "file", "files")))?;
        }
        Ok(if sums.is_whole() && unread == 0 { Outcome::Fine } else { Outcome::Wrong })
    }

    /// The folder for a package: called like it, where it stands in the folder of packages.
    fn output_of(&self, path: &Path, names: &mut TakenNames) -> Result<PathBuf, Failure> {
        let inside = path.strip_prefix(&self.file).unwrap_or(path).with_extension("");
        let inside = inside.to_string_lossy().replace('\\', "/");
        let taken = names.take(&inside).map_err(|refused| {
            Failure::failed(format!("{}: {}", path.display(), refused.reason()))
        })?;
        Ok(self.output.join(taken))
    }

    fn one_of_many(
        &self,
        path: &Path,
        origin: FileOrigin,
        folder: &Path,
        is_json: bool,
    ) -> (KeptOutput, PackageEnd) {
        let one = Self {
            file: path.to_owned(),
            output: folder.to_owned(),
            known: Arc::default(),
            is_one_of_many: true,
            ..self.clone()
        };
        let mut out = Output::keeping(is_json);
        let end = match one.package(1, &mut out) {
            Ok(sums) => PackageEnd::Done(sums),
            Err(failure) => {
                let (Failure::Usage(error) | Failure::Failed(error)) = &failure;
                let mut causes = error.chain().filter_map(|cause| cause.downcast_ref());
                match origin == FileOrigin::Found && causes.any(|error| is_passed_over(path, error))
                {
                    true => PackageEnd::NoPackage,
                    false => PackageEnd::Failed(failure),
                }
            }
        };
        (out.kept(), end)
    }
}
