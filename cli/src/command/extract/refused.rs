//! What does not come out, each with its name and the reason.

use serde_json::json;

use super::Extract;
use crate::failure::Failure;
use crate::output::Output;

/// Something of which no file is written.
pub(super) enum NotExtracted<'a> {
    Object {
        row: usize,
        path: &'a str,
        /// Its class without the package.
        class: &'a str,
    },
    /// The picture that browsers show for the object of this path.
    Thumbnail(&'a str),
    /// All objects of a package: the reason counts them.
    AllObjects,
}

impl Extract {
    /// Says why something does not come out. This names it, once: some reasons begin with the name, others have none.
    pub(super) fn report_refused(
        &self,
        what: &NotExtracted<'_>,
        reason: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let reason = match what {
            NotExtracted::Object { path, class, .. } => without_name(path, class, reason),
            NotExtracted::Thumbnail(path) => without_name(path, "", reason),
            NotExtracted::AllObjects => reason,
        };
        if out.is_json() {
            return out.object(&self.of_package(match what {
                NotExtracted::Object { row, path, .. } => {
                    json!({ "row": row, "object": path, "not_extracted": reason })
                }
                NotExtracted::Thumbnail(path) => {
                    json!({ "object": path, "kind": "thumbnail", "not_extracted": reason })
                }
                NotExtracted::AllObjects => json!({ "not_extracted": reason }),
            }));
        }
        let named = match what {
            NotExtracted::Object { path, class, .. } => format!("{path} ({class}): {reason}"),
            NotExtracted::Thumbnail(path) => format!("thumbnail of {path}: {reason}"),
            NotExtracted::AllObjects => reason.to_owned(),
        };
        let package = match self.is_one_of_many {
            true => format!("{}: ", self.file.display()),
            false => String::new(),
        };
        out.line(format!("not extracted: {package}{named}"))
    }
}

/// A reason without the object's name at its beginning or end: `Hall.Lamp: no samples`, `Hall.Lamp (Sound): no samples`,
/// `no samples for Hall.Lamp (Sound)`.
fn without_name<'a>(path: &str, class: &str, reason: &'a str) -> &'a str {
    let classed = format!("{path} ({class})");
    for name in [&classed, path] {
        if let Some(rest) = reason.strip_suffix(name).and_then(|rest| rest.strip_suffix(" for ")) {
            return rest;
        }
        let Some(rest) = reason.strip_prefix(name) else { continue };
        if let Some(rest) = rest.strip_prefix(": ").or_else(|| rest.strip_prefix(' ')) {
            return rest;
        }
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::without_name;

    #[test]
    fn a_reason_has_no_name_in_it() {
        for (reason, left) in [
            ("Hall.Lamp: no samples", "no samples"),
            ("Hall.Lamp has no samples", "has no samples"),
            ("Hall.Lamp (Sound): no samples", "no samples"),
            ("Hall.Lamp (Sound) has none", "has none"),
            ("Hall.Lamp2 has no samples", "Hall.Lamp2 has no samples"),
            ("no samples", "no samples"),
            ("bones not found for Hall.Lamp (Sound)", "bones not found"),
            ("bones not found for Hall.Lamp", "bones not found"),
            ("bones not found for Other.Hall.Lamp", "bones not found for Other.Hall.Lamp"),
        ] {
            assert_eq!(without_name("Hall.Lamp", "Sound", reason), left);
        }
    }
}
