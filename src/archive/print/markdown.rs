//! The documentation of formats as pages of Markdown: one a module, and an index.

use std::collections::BTreeMap;

use super::rows::{self, FieldRow};
use crate::archive::layout::{Field, Layout, Link, Shape};
use crate::version::Versions;

/// The content of the pages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pages<'a> {
    /// The types, each once.
    pub layouts: &'a [&'static Layout],
    /// The one version that they show, or all of them.
    pub versions: Option<&'a Versions>,
    /// Versions that stand for all: a field whose size is the same in each has offsets behind it.
    pub eras: &'a [Versions],
    /// The introduction of the index.
    pub introduction: &'a str,
}

impl Pages<'_> {
    fn has(&self, layout: &Layout) -> bool {
        self.layouts.iter().any(|known| known.place() == layout.place())
    }

    /// The name of each page, such as `table/export`, with its text; the first one is the index, `README`.
    ///
    /// ```
    /// use farchive::Archived;
    /// use farchive::archive::print::markdown::Pages;
    ///
    /// /// A saved game.
    /// #[derive(Archived, Default)]
    /// struct Save {
    ///     /// The level that was reached.
    ///     level: u32,
    ///     #[since(2)]
    ///     coins: u16,
    /// }
    ///
    /// let pages = Pages { layouts: &[Save::LAYOUT], introduction: "Saved games.", ..Pages::default() };
    /// let pages = pages.print();
    /// assert_eq!(pages[0].0, "README");
    /// assert!(pages[1].1.contains("| 2 |  | u16 | coins | from 2 |  |  |"));
    /// ```
    pub fn print(&self) -> Vec<(String, String)> {
        let mut pages: BTreeMap<String, Vec<&'static Layout>> = BTreeMap::new();
        for layout in self.layouts {
            pages.entry(page_of(layout)).or_default().push(layout);
        }
        let index = ("README".to_owned(), index_page(&pages, self.introduction));
        let page = |(page, layouts): (&String, &Vec<&'static Layout>)| {
            (page.clone(), module_page(page, layouts, self))
        };
        [index].into_iter().chain(pages.iter().map(page)).collect()
    }
}

/// The page of a type's module: `table/export`.
fn page_of(layout: &Layout) -> String {
    let path = layout.place_in_crate();
    let module = path.rsplit_once("::").map_or("", |(module, _)| module);
    // Those of the crate's root.
    if module.is_empty() { "types".to_owned() } else { module.replace("::", "/") }
}

fn index_page(pages: &BTreeMap<String, Vec<&'static Layout>>, introduction: &str) -> String {
    let mut text = format!("# Formats\n\n{introduction}\n");
    for (page, layouts) in pages {
        text += &format!("\n## [{page}]({page}.md)\n\n| type | meaning |\n|---|---|\n");
        for layout in layouts {
            let (name, meaning) = (rows::name_of(layout), cell(rows::sentence(layout.doc)));
            text += &format!("| [{name}]({page}.md#{}) | {meaning} |\n", name.to_lowercase());
        }
    }
    text
}

fn module_page(page: &str, layouts: &[&'static Layout], pages: &Pages<'_>) -> String {
    let versions = pages.versions;
    let index = "../".repeat(page.matches('/').count());
    let mut text = format!("# {page}\n\n[All formats]({index}README.md)\n");
    for layout in layouts {
        text += &format!("\n## {}\n", rows::name_of(layout));
        for paragraph in layout.doc.lines() {
            text += &format!("\n{paragraph}\n");
        }
        match layout.shape {
            Shape::Struct { fields } => text += &fields_table(page, fields, Some(0), pages),
            Shape::Manual { fields, .. } => {
                text += "\nIts function is written by hand; its parts as they are declared.\n";
                if !fields.is_empty() {
                    text += &fields_table(page, fields, None, pages);
                }
            }
            Shape::Enum { repr, variants } => {
                text += &format!("\nStored as `{repr}`, then the fields of the variant.\n");
                text += "\n| value | variant | versions | meaning |\n|---|---|---|---|\n";
                let present = variants.iter().filter(|it| versions.is_none_or(|v| it.is_in(v)));
                for it in present.clone() {
                    let (bounds, doc) = (cell(&rows::versions_text(it.bounds)), cell(it.doc));
                    text += &format!("| {} | {} | {bounds} | {doc} |\n", it.number(), it.name);
                }
                for it in present.filter(|it| !it.fields.is_empty()) {
                    text += &format!("\n### {}: {}\n", rows::name_of(layout), it.name);
                    text += &fields_table(page, it.fields, rows::number(repr), pages);
                }
            }
        }
    }
    text
}

fn fields_table(
    page: &str,
    fields: &'static [Field],
    start: Option<u64>,
    pages: &Pages<'_>,
) -> String {
    let rows = rows::rows(fields, start, pages.versions, pages.eras);
    if rows.is_empty() {
        return "\nNo fields.\n".to_owned();
    }
    let mut text = "\n| # | offset | type | field | versions | condition | meaning |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for FieldRow { order, offset, field } in rows {
        let offset = offset.map(|offset| format!("{offset:#x}")).unwrap_or_default();
        let ty = type_cell(page, field, pages);
        let versions = cell(&rows::versions_text(field.bounds));
        let condition = rows::condition(field);
        let condition =
            if condition.is_empty() { condition } else { format!("`{}`", cell(&condition)) };
        let (name, doc) = (field.name, cell(field.doc));
        text +=
            &format!("| {order} | {offset} | {ty} | {name} | {versions} | {condition} | {doc} |\n");
    }
    text
}

/// Text that a table can hold.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A type in which each name leads to the name's own table.
fn type_cell(page: &str, field: &Field, pages: &Pages<'_>) -> String {
    let links: Vec<_> = field.links.iter().filter_map(Link::layout).collect();
    let mut text = String::new();
    let mut rest = field.ty;
    while !rest.is_empty() {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let word = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        if word == 0 {
            let sign = rest.chars().next().unwrap_or_default();
            match sign {
                '<' => text += "&lt;",
                '>' => text += "&gt;",
                '|' => text += "\\|",
                '[' | ']' => text.extend(['\\', sign]),
                _ => text.push(sign),
            }
            rest = rest.get(sign.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (name, behind) = rest.split_at(word);
        match links.iter().find(|layout| rows::name_of(layout) == name) {
            Some(layout) if pages.has(layout) => {
                let target = relative(page, &page_of(layout));
                text += &format!("[{name}]({target}#{})", name.to_lowercase());
            }
            _ => text += name,
        }
        rest = behind;
    }
    text
}

/// The path from one page to another; nothing within one.
fn relative(from: &str, to: &str) -> String {
    match from == to {
        true => String::new(),
        false => format!("{}{to}.md", "../".repeat(from.matches('/').count())),
    }
}
