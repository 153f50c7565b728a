//! The rules of findings: each with a code that stays, and how bad what it finds is.

use super::Severity;

/// A kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoctorRule {
    /// The word for scripts; `docs/doctor.md` has a section of this name.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub summary: &'static str,
}

/// Every rule there is, those of single packages and of scans too.
pub const RULES: &[DoctorRule] = &[
    rule("build-order", Severity::Error, "a code package is built before one that it needs"),
    rule("cache", Severity::Warning, "a file of the cache is not as it should be"),
    rule("circle", Severity::Warning, "code packages need one another in a circle"),
    rule("class-differs", Severity::Error, "an object is imported as one of another class"),
    rule("damaged", Severity::Error, "bytes of a package contradict one another"),
    rule("file-missing", Severity::Error, "a file beside a package is not there"),
    rule("library-missing", Severity::Warning, "native classes have no library"),
    rule("not-decoded", Severity::Note, "an object is not decoded whole"),
    rule("not-public", Severity::Warning, "an object is imported that is its package's own"),
    rule("not-rebuilt", Severity::Error, "a package is not rebuilt byte for byte"),
    rule("object-missing", Severity::Error, "an imported object is not there"),
    rule("package-missing", Severity::Error, "an imported package is not there"),
    rule("redirector-broken", Severity::Error, "a redirector leads nowhere"),
    rule("same-guid", Severity::Error, "different files have one GUID"),
    rule("same-name", Severity::Warning, "several files have one name"),
    rule("server-side-only", Severity::Error, "clients need a package that only servers have"),
    rule("soft-object-missing", Severity::Warning, "a soft reference leads to no object"),
    rule("soft-package-missing", Severity::Warning, "a soft reference leads to no package"),
    rule("unreadable", Severity::Error, "a file can't be opened"),
    rule("unsupported", Severity::Note, "a package is of a form that is not supported"),
    rule("unused", Severity::Note, "nothing leads to a package"),
    rule("wrong-position", Severity::Error, "a position in a package leads elsewhere"),
];

const fn rule(code: &'static str, severity: Severity, summary: &'static str) -> DoctorRule {
    DoctorRule { code, severity, summary }
}

impl DoctorRule {
    /// The rule of a code.
    pub fn of(code: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.code == code)
    }
}
