//! Comments before variables, which the editor shows (UE3).

use std::collections::HashMap;

use crate::compile::syntax::{Syntax, SyntaxItem, Variables};

/// Columns that a tab goes on to.
const TAB: usize = 8;

/// The comments of a class's declarations of variables, by their first tokens.
///
/// The compiler keeps the last comment that it has read: a block of C replaces what was before, lines are put behind
/// it. A statement of a class begins without one. Where no comment stands before a variable and one behind it on its
/// line, those that follow up to the next declaration count.
#[derive(Debug, Clone, Default)]
pub(super) struct ToolTips {
    by_token: HashMap<u32, ToolTip>,
    comment: String,
    /// The token before which all is read already.
    read: Option<u32>,
}

/// A comment as the editor shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolTip {
    pub text: String,
    /// Whether it stands behind the declaration.
    pub is_behind: bool,
}

impl ToolTips {
    /// Those of a class file.
    pub fn of(syntax: &Syntax) -> Self {
        let mut all = Self::default();
        all.items(syntax, &syntax.items, true);
        all
    }

    /// What the editor shows of a declaration.
    pub fn get(&self, first: u32) -> Option<&ToolTip> {
        self.by_token.get(&first)
    }

    fn items(&mut self, syntax: &Syntax, items: &[SyntaxItem], is_class: bool) {
        for item in items {
            if is_class {
                self.comment.clear();
            }
            match item {
                SyntaxItem::Variables(it) => self.variables(syntax, it, is_class),
                SyntaxItem::Struct(it) => {
                    let open = (it.first..it.last).find(|token| syntax.text(*token) == "{");
                    self.between(syntax, it.first, open.unwrap_or(it.first));
                    self.items(syntax, &it.items, false);
                }
                SyntaxItem::Enum(it) if !is_class => self.between(syntax, it.first, it.last),
                SyntaxItem::Constant(it) if !is_class => self.between(syntax, it.first, it.last),
                _ => {}
            }
        }
    }

    fn variables(&mut self, syntax: &Syntax, written: &Variables, is_class: bool) {
        self.between(syntax, written.first, written.last);
        let next = written.last + 1;
        let line = gap(syntax, next).lines().next().unwrap_or_default();
        let follows = line.trim_start().starts_with('/');
        let is_behind = self.comment.is_empty() && follows;
        if is_behind {
            self.before(syntax, next);
        }
        if is_behind || follows && is_class {
            self.read = Some(next);
        }
        if let Some(text) = shown(&self.comment) {
            self.by_token.insert(written.first, ToolTip { text, is_behind });
        }
    }

    fn between(&mut self, syntax: &Syntax, first: u32, last: u32) {
        for token in first..=last {
            if self.read != Some(token) {
                self.before(syntax, token);
            }
        }
    }

    /// Reads the comments before a token.
    fn before(&mut self, syntax: &Syntax, token: u32) {
        let mut rest = gap(syntax, token);
        while let Some(at) = rest.find('/') {
            rest = &rest[at..];
            if rest.starts_with("/*") {
                let end =
                    rest.get(2..).and_then(|it| it.find("*/")).map_or(rest.len(), |at| at + 4);
                let (comment, behind) = rest.split_at(end);
                comment.clone_into(&mut self.comment);
                rest = behind;
            } else if rest.starts_with("//") {
                let (comment, behind) =
                    rest.split_at(rest.find(['\r', '\n']).unwrap_or(rest.len()));
                self.comment.push_str(comment);
                rest = behind;
            } else {
                rest = &rest[1..];
            }
        }
    }
}

/// What stands between a token and the one before.
fn gap(syntax: &Syntax, token: u32) -> &str {
    let end = syntax.token(token).start as usize;
    let start = token.checked_sub(1).map_or(0, |token| syntax.token(token).end as usize);
    syntax.source.text().get(start..end).unwrap_or_default()
}

/// A comment without its signs.
fn shown(comment: &str) -> Option<String> {
    if !comment.chars().any(char::is_alphanumeric) {
        return None;
    }
    let mut text = comment.to_owned();
    if text.contains("/*") {
        text = text.replace("/**", "").replace("/*", "").replace("*/", "");
    }
    if text.starts_with("//") {
        // What stands in place of C++ is no comment.
        text = text.replace("///", "//").replace("//", "").replace("(cpptext)", "");
    }
    text = text.replace('\r', "").replace("* ", "").replace('*', "");
    let text = without_tabs(&text).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Tabs as spaces: behind the first line the end of the line before counts as a column.
fn without_tabs(text: &str) -> String {
    let (mut out, mut column) = (String::with_capacity(text.len()), 0);
    for letter in text.chars() {
        match letter {
            '\t' => {
                let count = TAB - column % TAB;
                out.extend(std::iter::repeat_n(' ', count));
                column += count;
            }
            '\n' => {
                out.push('\n');
                column = 1;
            }
            letter => {
                out.push(letter);
                column += 1;
            }
        }
    }
    out
}
