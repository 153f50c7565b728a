//! The command lines of a page: those of its shell blocks.
//!
//! In `sh` blocks every line that runs `upk` is one. In `console` blocks they stand behind `$`, with what they print
//! below them.

use std::path::Path;

use crate::line;
use crate::shown::Shown;

/// A shell block.
#[derive(Debug)]
pub struct Block {
    /// The heading that it stands under.
    pub heading: String,
    /// Where it stands: the number of its first line and the heading.
    pub place: String,
    /// Its lines that run `upk`, without remarks.
    pub lines: Vec<Line>,
}

/// A command line, and what the page shows of what it prints.
#[derive(Debug)]
pub struct Line {
    pub text: String,
    pub shown: Option<Shown>,
}

/// What a fence begins.
#[derive(Clone, Copy)]
enum Fence {
    Shell,
    Console,
    Other,
}

/// Every shell block of a page that runs `upk`.
pub fn blocks(page: &Path, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut heading, mut fence) = ("", None);
    for (number, line) in (1..).zip(text.lines()) {
        match (line.strip_prefix("```"), fence) {
            (Some(_), Some(_)) => fence = None,
            (Some(language), None) => {
                let kind = match language {
                    "sh" | "bash" => Fence::Shell,
                    "console" => Fence::Console,
                    _ => Fence::Other,
                };
                fence = Some(kind);
                if !matches!(kind, Fence::Other) {
                    let (place, heading) = (format!("{} ({heading})", number + 1), heading.into());
                    blocks.push(Block { heading, place, lines: Vec::new() });
                }
            }
            (None, Some(Fence::Shell)) => {
                if let (Some(text), Some(block)) = (line::example(line), blocks.last_mut()) {
                    block.lines.push(Line { text: text.to_owned(), shown: None });
                }
            }
            (None, Some(Fence::Console)) => {
                let Some(block) = blocks.last_mut() else { continue };
                match line.strip_prefix("$ ") {
                    Some(text) => {
                        let shown = Shown { page: page.into(), first: number, lines: Vec::new() };
                        block.lines.push(Line { text: text.to_owned(), shown: Some(shown) });
                    }
                    None => {
                        let last = block.lines.last_mut().and_then(|it| it.shown.as_mut());
                        let last =
                            last.unwrap_or_else(|| panic!("{page:?}:{number}: of no command"));
                        last.lines.push(line.trim_end().to_owned());
                    }
                }
            }
            (None, Some(Fence::Other)) => {}
            (None, None) if line.starts_with('#') => heading = line.trim_start_matches('#').trim(),
            (None, None) => {}
        }
    }
    blocks.retain(|block| !block.lines.is_empty());
    blocks
}
