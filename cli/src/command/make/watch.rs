//! `upk make --watch`: again whenever a class changes.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use unreal_packages::environment::{Settings, find_ignoring_case};

use super::Make;
use super::sources::class_files;
use crate::failure::{self, CommandResult};
use crate::input;
use crate::output::Output;

/// How often the files are looked at. No service of the system tells of changes on every file system, network shares
/// among them, and a folder of classes is looked through in a millisecond.
const INTERVAL: Duration = Duration::from_millis(300);

/// The files that something is made from, with what changes when one is saved.
type Stamps = Vec<(PathBuf, Option<SystemTime>, u64)>;

impl Make {
    /// Makes it, and again whenever something that it is made from has changed, until the program is ended. The packages
    /// around are read once.
    pub(super) fn watch(&self, out: &mut Output) -> CommandResult {
        let mut seen: Option<Stamps> = None;
        loop {
            let now = self.stamps();
            if seen.as_ref() != Some(&now) {
                // What this has written itself may be replaced.
                let overwrite = self.overwrite || seen.is_some();
                // What is wrong with the sources has been said, and may be mended: that is what this is for.
                if let Err(failure) = self.once(overwrite, out) {
                    if seen.is_none() || failure.is_of_reader() {
                        return Err(failure);
                    }
                    failure::exit_code(Err(failure), out.is_json());
                }
                if !out.is_json() {
                    out.summary("waiting for changes (Ctrl+C ends)")?;
                }
                out.flush()?;
                seen = Some(now);
            }
            std::thread::sleep(INTERVAL);
        }
    }

    /// The files as they are now. What can't be read now is as good as gone.
    fn stamps(&self) -> Stamps {
        let mut files = class_files(&self.source).unwrap_or_default();
        if files.is_empty() {
            let settings = Settings::detect_with(&self.source, input::links());
            for name in settings.map(|it| it.edit_packages).unwrap_or_default() {
                let folder = find_ignoring_case(&self.source, &name);
                files.extend(folder.and_then(|it| class_files(&it).ok()).into_iter().flatten());
            }
        }
        files.extend(self.like.iter().chain(&self.content).chain(&self.conform_to).cloned());
        let stamp = |path: PathBuf| {
            let about = path.metadata().ok();
            let time = about.as_ref().and_then(|it| it.modified().ok());
            (path, time, about.map_or(0, |it| it.len()))
        };
        files.into_iter().map(stamp).collect()
    }
}
