//! Links of the pages for people: to files that are there, to headings that are there, and every page is found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::collect;

/// A link: the file that it names, and the heading within it.
#[derive(Debug)]
struct Link {
    file: PathBuf,
    anchor: Option<String>,
}

/// The text without what is code: blocks, and what stands in backquotes.
fn prose(text: &str) -> String {
    let mut fence = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fence = !fence;
        } else if !fence {
            prose.extend(line.split('`').step_by(2));
        }
        prose.push('\n');
    }
    prose
}

/// The links of a page to files of this project.
fn links(page: &Path, text: &str) -> Vec<Link> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.starts_with("http"));
    local
        .map(|target| {
            let (file, anchor) = target
                .split_once('#')
                .map_or((target, None), |(file, anchor)| (file, Some(anchor.to_owned())));
            let file = match file {
                "" => page.to_path_buf(),
                file => normal(&page.with_file_name(file)),
            };
            Link { file, anchor }
        })
        .collect()
}

/// The path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// What headings are called in links, as GitHub and mdBook make it of their texts.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fence = false;
    let mut anchors = BTreeSet::new();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for line in text.lines() {
        fence ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if fence || heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        // Of a link in a heading its text counts.
        let heading = heading.split("](").map(|part| part.split_once(')').map_or(part, |it| it.1));
        let heading: String = heading.collect();
        let kept = heading.trim().to_lowercase().replace(' ', "-");
        let kept: String =
            kept.chars().filter(|it| it.is_alphanumeric() || matches!(it, '-' | '_')).collect();
        let count = counts.entry(kept.clone()).or_default();
        anchors.insert(if *count == 0 { kept } else { format!("{kept}-{count}") });
        *count += 1;
    }
    anchors
}

/// Pages for people, beside those whose examples run.
fn pages() -> Vec<(PathBuf, String)> {
    let others = [
        ".github/CODE_OF_CONDUCT.md",
        ".github/CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "fuzz/README.md",
        "python/README.md",
    ];
    let mut pages = collect::pages();
    for other in others {
        let path = collect::root().join(other);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{other}: {error}"));
        pages.push((path, text));
    }
    pages
}

#[test]
fn links_lead_to_files_and_headings() {
    let (mut seen, mut faults) = (0, Vec::new());
    for (page, text) in pages() {
        for link in links(&page, &text) {
            seen += 1;
            let is_there = link.file.exists()
                && link.anchor.as_ref().is_none_or(|anchor| {
                    let text = std::fs::read_to_string(&link.file).unwrap_or_default();
                    anchors(&text).contains(anchor)
                });
            if !is_there {
                faults.push(format!("{}: {link:?}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen > 200, "{seen} links");
}

#[test]
fn every_page_is_found() {
    let pages: BTreeMap<_, _> = collect::pages().into_iter().collect();
    let root = collect::root();
    let of = |page: &Path| links(page, &pages[page]).into_iter().map(|link| link.file);
    // Whoever starts at the README finds every page, and the book has all of them but the README.
    let mut found = BTreeSet::from([root.join("README.md")]);
    let mut next: Vec<PathBuf> = found.iter().cloned().collect();
    while let Some(page) = next.pop() {
        next.extend(of(&page).filter(|it| pages.contains_key(it) && found.insert(it.clone())));
    }
    let summary = root.join("docs/SUMMARY.md");
    let book: BTreeSet<PathBuf> = of(&summary).collect();
    for page in pages.keys() {
        assert!(found.contains(page), "no link leads to {}", page.display());
        let alone = *page == root.join("README.md") || *page == summary;
        assert!(alone || book.contains(page), "the book lacks {}", page.display());
    }
}

#[test]
fn headings_are_called_as_github_calls_them() {
    let text =
        "# One `two`, three!\n```sh\n# no heading\n```\n## One\n## One\n## A [link](x.md)\n#word\n";
    let names: Vec<_> = anchors(text).into_iter().collect();
    assert_eq!(names, ["a-link", "one", "one-1", "one-two-three"]);
    let links = links(
        Path::new("/d/a.md"),
        "[x](b.md#c) `[y](z.md)` [w](http://e) [v](#u)\n```\n[q](r)\n```",
    );
    let found: Vec<_> =
        links.iter().map(|it| (it.file.to_str().unwrap(), it.anchor.as_deref())).collect();
    assert_eq!(found, [("/d/b.md", Some("c")), ("/d/a.md", Some("u"))]);
}
