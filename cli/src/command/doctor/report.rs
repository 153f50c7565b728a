//! Findings as lines.

use unreal_packages::scan::ScanFinding;

/// A line for people; with the file where the finding itself does not say it.
pub fn line(finding: &ScanFinding, names_file: bool) -> String {
    let ScanFinding { rule, path, message, .. } = finding;
    match path {
        Some(path) if names_file && !message.contains(path.as_str()) => {
            format!("{rule:<16}  {path}: {message}")
        }
        _ => format!("{rule:<16}  {message}"),
    }
}

/// What could not be looked at, since it lies below roots that are not at hand.
pub fn elsewhere(totals: &serde_json::Value) -> Option<[String; 2]> {
    let roots = totals["elsewhere"].as_object().filter(|roots| !roots.is_empty())?;
    let roots: Vec<String> =
        roots.iter().map(|(root, count)| format!("{count} of /{root}/")).collect();
    let roots = roots.join(", ");
    Some([
        format!("not looked at, since they are elsewhere: {roots}"),
        "  next: name the folder of the engine as well, or of the plugin".to_owned(),
    ])
}

/// An annotation of GitHub's actions, one line.
///
/// Its form: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.
pub fn annotation(finding: &ScanFinding) -> String {
    let kind = match finding.severity.word() {
        "note" => "notice",
        word => word,
    };
    let file = match &finding.path {
        Some(path) => format!(" file={},title={}", value(path), value(&finding.rule)),
        None => format!(" title={}", value(&finding.rule)),
    };
    format!("::{kind}{file}::{}\n", text(&finding.message))
}

/// A text that stands for itself.
fn text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same between commas.
fn value(value: &str) -> String {
    text(value).replace(':', "%3A").replace(',', "%2C")
}
