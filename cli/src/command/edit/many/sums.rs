//! How edits of many packages end.

use std::path::Path;

use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;

/// How the edit of one package ended.
pub(super) enum End {
    Edited {
        is_changed: bool,
        left_out: usize,
    },
    LeftAlone,
    Failed(Failure),
    /// It is no package, and nobody has named it.
    NoPackage,
}

/// How many packages ended in which way.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) edited: u64,
    pub(super) same: u64,
    pub(super) left_alone: u64,
    pub(super) failed: u64,
    /// Packages that some parts of the edit did not fit.
    pub(super) partly: u64,
}

impl Sums {
    /// Counts one, and says why it failed.
    pub(super) fn add(&mut self, path: &Path, end: End, out: &mut Output) -> Result<(), Failure> {
        if matches!(end, End::Edited { left_out: 1.., .. }) {
            self.partly += 1;
        }
        match end {
            End::Edited { is_changed: true, .. } => self.edited += 1,
            End::Edited { is_changed: false, .. } => self.same += 1,
            End::LeftAlone => self.left_alone += 1,
            End::NoPackage => {}
            End::Failed(failure) => {
                self.failed += 1;
                let (message, next) = failure.parts();
                let shown = path.display().to_string();
                let message = match failure.names(&shown) {
                    true => message,
                    false => format!("{shown}: {message}"),
                };
                if out.is_json() {
                    out.object(&json!({ "input": shown, "error": message, "next": next }))?;
                }
                out.warn(match next {
                    Some(next) => format!("{message}\n  next: {next}"),
                    None => message,
                })?;
            }
        }
        Ok(())
    }
}
