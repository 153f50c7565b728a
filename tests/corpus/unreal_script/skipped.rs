//! What the lexer leaves out: comments, directives, and the bodies of other languages.

use super::lexer::{Kind, Lexer};

impl Lexer<'_> {
    pub fn comment(&mut self) -> Result<(), String> {
        let mut depth = 0;
        while self.place < self.bytes.len() {
            if self.starts("/*") {
                depth += 1;
                self.place += 2;
            } else if self.starts("*/") {
                depth -= 1;
                self.place += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else {
                self.step();
            }
        }
        self.fail("expected the end of a comment")
    }

    pub fn begins_line(&self) -> bool {
        let before = &self.text[..self.place];
        before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
    }

    /// Cuts a `#` line, and the lines of the branch of an `#if` that does not count.
    pub fn directive(&mut self) -> Result<(), String> {
        loop {
            let start = self.place;
            self.skip_line();
            let line = &self.text[start..self.place];
            let mut words = line[1..].split_whitespace();
            match words.next().unwrap_or("") {
                "if" => {
                    let condition = words.next().unwrap_or("");
                    self.conditions.push(condition_holds(condition));
                }
                "else" => match self.conditions.last_mut() {
                    Some(condition) => *condition = !*condition,
                    None => return self.fail("expected #if before #else"),
                },
                "endif" if self.conditions.pop().is_none() => {
                    return self.fail("expected #if before #endif");
                }
                _ => {}
            }
            if self.conditions.iter().all(|&condition| condition) {
                return Ok(());
            }
            // Lines of the branch that does not count, up to its next directive.
            loop {
                if self.place >= self.bytes.len() {
                    return self.fail("expected #endif");
                }
                self.step();
                while matches!(self.at(0), b' ' | b'\t') {
                    self.place += 1;
                }
                if self.at(0) == b'#' {
                    break;
                }
                self.skip_line();
            }
        }
    }

    /// Skips balanced braces; strings, comments and character constants in them do not count.
    pub fn skipped_body(&mut self) -> Result<(), String> {
        let (start, mut depth) = (self.place, 0_usize);
        while self.place < self.bytes.len() {
            match self.at(0) {
                b'/' if self.starts("//") => {
                    self.skip_line();
                    continue;
                }
                b'/' if self.starts("/*") => {
                    self.comment()?;
                    continue;
                }
                b'"' => self.skip_string(),
                b'\'' if self.at(2) == b'\'' => self.place += 2,
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            self.step();
            if depth == 0 {
                let text = self.text[start..self.place].to_owned();
                self.push(Kind::Skipped, text);
                return Ok(());
            }
        }
        self.fail("expected } before the end of the text")
    }

    /// Moves to the closing quote, or to the end of the line: exported defaults do not escape.
    fn skip_string(&mut self) {
        let mut ahead = 1;
        while !matches!(self.at(ahead), b'"' | b'\n' | 0) {
            ahead += 1 + usize::from(
                self.at(ahead) == b'\\' && !matches!(self.at(ahead + 1), b'\n' | b'\r' | 0),
            );
        }
        self.place += if self.at(ahead) == b'"' { ahead } else { ahead - 1 };
    }
}

/// SWAT 4 was built with all conditions of its sources but those of other games and of consoles.
fn condition_holds(condition: &str) -> bool {
    let name = condition.trim_start_matches('!');
    let holds = !name.contains("TRIBES") && !name.contains("CONSOLE");
    holds != condition.starts_with('!')
}
