//! The command lines of a page: those of its shell blocks.

use crate::line;

/// A shell block.
#[derive(Debug)]
pub struct Block {
    /// The heading that it stands under.
    pub heading: String,
    /// Where it stands: the number of its first line and the heading.
    pub place: String,
    /// Its lines that run `upk`, without remarks.
    pub lines: Vec<String>,
}

/// Every shell block of a page that runs `upk`.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut heading, mut fence) = ("", None);
    for (number, line) in (1..).zip(text.lines()) {
        match (line.strip_prefix("```"), fence) {
            (Some(_), Some(_)) => fence = None,
            (Some(language), None) => {
                let is_shell = matches!(language, "sh" | "bash" | "console");
                fence = Some(is_shell);
                if is_shell {
                    let (place, heading) = (format!("{} ({heading})", number + 1), heading.into());
                    blocks.push(Block { heading, place, lines: Vec::new() });
                }
            }
            (None, Some(true)) => {
                if let (Some(text), Some(block)) = (line::example(line), blocks.last_mut()) {
                    block.lines.push(text.to_owned());
                }
            }
            (None, Some(false)) => {}
            (None, None) if line.starts_with('#') => heading = line.trim_start_matches('#').trim(),
            (None, None) => {}
        }
    }
    blocks.retain(|block| !block.lines.is_empty());
    blocks
}
