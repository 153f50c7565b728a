//! The packages of a folder, each with a folder of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
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
use crate::package_folders::{PackageFolders, within};
use crate::progress;
use crate::taken::Refused;

/// Packages of one batch for each thread, of which what is said is kept.
const AHEAD: usize = 4;

/// What has become of a package.
enum PackageEnd {
    Done(ExtractSums),
    /// A file that is none.
    NoPackage,
    Failed(Failure),
}

/// One file that makes the library panic must not end a run over thousands.
fn catching(
    is_json: bool,
    work: impl FnOnce() -> (KeptOutput, PackageEnd),
) -> (KeptOutput, PackageEnd) {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let failure = Failure::failed("the library panics: please report this file".to_owned());
        (Output::keeping(is_json).kept(), PackageEnd::Failed(failure))
    })
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
        if let Some((path, open, _)) = containers::folder(&self.file)? {
            containers::refuse_empty(&path, &open, "extract")?;
        }
        let Collected { files, unlisted, unopened } = collect(std::slice::from_ref(&self.file))?;
        // What an earlier run has written lies in the folder of results.
        let is_result = within(&self.output);
        // The packages of a container are none of its files.
        if self.file.is_dir() && is_result(&self.file) {
            let next = "name another folder with -o";
            let folder = self.output.display();
            return Err(Failure::usage(format!(
                "'{folder}' holds the packages that are read\n  next: {next}"
            )));
        }
        let is_wanted = |path: &Path| !containers::is_many(path) && !is_result(path);
        let files: Vec<_> = files.into_iter().filter(|(path, _)| is_wanted(path)).collect();
        let mut folders = PackageFolders::new(&self.file, &self.output);
        let folders: Vec<_> = files.iter().map(|(path, _)| folders.take(path)).collect();
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
            let one =
                |((path, origin), folder): &(&(PathBuf, FileOrigin), &Result<PathBuf, Refused>)| {
                    let end =
                        catching(is_json, || self.one_of_many(path, *origin, folder, is_json));
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
                            // Some failures name the file themselves.
                            false if failure.names(&path) => {
                                out.line(format!("not extracted: {reason}"))?;
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

    fn one_of_many(
        &self,
        path: &Path,
        origin: FileOrigin,
        folder: &Result<PathBuf, Refused>,
        is_json: bool,
    ) -> (KeptOutput, PackageEnd) {
        let mut out = Output::keeping(is_json);
        let one = Self {
            file: path.to_owned(),
            output: folder.clone().unwrap_or_default(),
            known: Arc::default(),
            is_one_of_many: true,
            ..self.clone()
        };
        // A file whose name leads elsewhere may be none of the packages.
        let made = match folder {
            Ok(_) => one.package(1, &mut out),
            Err(refused) => {
                let named = || Err(Failure::failed(refused.reason().to_owned()));
                self.open.open(path).and_then(|_| named())
            }
        };
        let end = match made {
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
