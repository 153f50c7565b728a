//! The difference of two builds as a report in Markdown, for a pull request or a release.

use std::fmt::Write as _;

use super::Diff;
use super::build_line::{BuildLine, BuildState};
use super::build_totals::Totals;
use super::growth::{Growth, signed};
use super::moved::MovedObject;
use crate::failure::Failure;
use crate::form::Form;
use crate::output::{Output, count, grouped, printable};
use crate::target::Target;

/// Which lines a part of the report has.
type StateFilter = fn(&BuildState) -> bool;

/// Rows of sizes that are shown where --limit says nothing else.
type Rows<'a> = &'a [Growth];

impl Diff {
    /// Where the report goes; `None` where none is wanted.
    pub(super) fn markdown_target(&self, out: &mut Output) -> Result<Option<Target>, Failure> {
        if !self.markdown {
            return Ok(None);
        }
        let standard = std::path::PathBuf::from("-");
        let path = self.output.as_ref().unwrap_or(&standard);
        Target::new(path, self.overwrite, Form::Any, out).map(Some)
    }

    pub(super) fn markdown_page(
        &self,
        totals: &Totals,
        lines: &[BuildLine],
        moved: &[MovedObject],
        [classes, folders]: [Rows<'_>; 2],
    ) -> String {
        let [old, new] = [&self.old, &self.new].map(|path| code(&path.display().to_string()));
        let mut page = format!("# {old} → {new}\n\n");
        for line in totals.lines() {
            let _ = writeln!(page, "{line}  ");
        }
        page.push('\n');
        let of = |is_package: bool, wanted: StateFilter| {
            let fits =
                move |line: &&BuildLine| line.is_package == is_package && wanted(&line.state);
            lines.iter().filter(fits).collect::<Vec<_>>()
        };
        let is_changed = |state: &BuildState| {
            matches!(state, BuildState::Changed(_) | BuildState::ChangedFile(_))
        };
        changed(&mut page, "Changed packages", "Objects", &of(true, is_changed));
        let parts: [(&str, StateFilter); 4] = [
            ("Added", |state| matches!(state, BuildState::Added)),
            ("Removed", |state| matches!(state, BuildState::Removed)),
            ("Renamed", |state| matches!(state, BuildState::Renamed(_))),
            ("Not compared", |state| matches!(state, BuildState::Failed(_))),
        ];
        for (title, wanted) in parts {
            listed(&mut page, &format!("{title} packages"), &of(true, wanted));
        }
        changed(&mut page, "Changed files", "Entries", &of(false, is_changed));
        for (title, wanted) in parts {
            listed(&mut page, &format!("{title} files"), &of(false, wanted));
        }
        if !moved.is_empty() {
            page.push_str("## Objects elsewhere\n\n| Old | New | Class |\n|---|---|---|\n");
            for MovedObject { old_package, old, new_package, new, class } in moved {
                let (old, new) = (format!("{old_package}: {old}"), format!("{new_package}: {new}"));
                let _ = writeln!(page, "| {} | {} | {} |", code(&old), code(&new), code(class));
            }
            page.push('\n');
        }
        self.sizes(&mut page, "Sizes by class", "Objects", classes);
        self.sizes(&mut page, "Sizes by folder", "Files", folders);
        page
    }

    fn sizes(&self, page: &mut String, title: &str, things: &str, all: Rows<'_>) {
        if all.is_empty() {
            return;
        }
        let _ = writeln!(
            page,
            "## {title}\n\n| | {things} | Old | New | Growth |\n|---|--:|--:|--:|--:|"
        );
        let shown = if self.limit == 0 { all.len() } else { self.limit.min(all.len()) };
        for it in &all[..shown] {
            let Growth { name, count, bytes } = it;
            let [old, new] = bytes.map(grouped);
            let (name, count, by) = (code(name), grouped(count[1]), signed(it.by()));
            let _ = writeln!(page, "| {name} | {count} | {old} | {new} | {by} |");
        }
        if shown < all.len() {
            let _ = writeln!(page, "\n{} more (`--limit 0` shows all)", all.len() - shown);
        }
        page.push('\n');
    }
}

fn changed(page: &mut String, title: &str, things: &str, lines: &[&BuildLine]) {
    if lines.is_empty() {
        return;
    }
    let _ =
        writeln!(page, "## {title}\n\n| | {things} | Old | New | Growth |\n|---|---|--:|--:|--:|");
    for line in lines {
        let counts = match &line.state {
            BuildState::Changed(counts) => counts.to_string(),
            BuildState::ChangedFile(Some(counts)) => counts.to_string(),
            _ => String::new(),
        };
        let [old, new] = line.bytes.map(Option::unwrap_or_default);
        let by = signed(i128::from(new) - i128::from(old));
        let (path, old, new) = (code(&line.path), grouped(old), grouped(new));
        let _ = writeln!(page, "| {path} | {counts} | {old} | {new} | {by} |");
    }
    page.push('\n');
}

fn listed(page: &mut String, title: &str, lines: &[&BuildLine]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(page, "## {title}\n");
    for line in lines {
        let path = code(&line.path);
        let [old, new] = line.bytes;
        let bytes = count(new.or(old).unwrap_or_default(), "byte", "bytes");
        let _ = match &line.state {
            BuildState::Renamed(before) => writeln!(page, "- {} → {path}", code(before)),
            BuildState::Failed(reason) => writeln!(page, "- {path}: {}", code(reason)),
            _ => writeln!(page, "- {path} ({bytes})"),
        };
    }
    page.push('\n');
}

/// A text of a build as code, within a table too: a build may hold any, and Markdown obeys some of it.
fn code(text: &str) -> String {
    let text =
        printable(text).replace('`', "'").replace('|', "\\|").replace(['\n', '\r', '\t'], " ");
    format!("`{text}`")
}
