//! Texts compared line by line, and lines word by word.

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// Lines of a text that became others: none where they came or went.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineHunk {
    /// The first of them in the old text, 0 the first of all.
    pub old_line: usize,
    /// The first of them in the new text.
    pub new_line: usize,
    /// The old lines.
    pub old: Vec<String>,
    /// The new lines.
    pub new: Vec<String>,
}

/// A part of a line, as one side or both have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordPart {
    /// Both have it.
    Same(String),
    /// Only the old line has it.
    Removed(String),
    /// Only the new line has it.
    Added(String),
}

/// The lines in which two texts differ, without their ends: as few as make sense to a reader.
///
/// ```
/// use unreal_packages::compare::line_hunks;
///
/// let hunks = line_hunks("a\nb\nc\n", "a\nB\nc\nd\n");
/// assert_eq!(hunks.len(), 2);
/// assert_eq!((&*hunks[0].old, &*hunks[0].new), (&["b".to_owned()][..], &["B".to_owned()][..]));
/// assert_eq!((hunks[1].old_line, &*hunks[1].new), (3, &["d".to_owned()][..]));
/// ```
pub fn line_hunks(old: &str, new: &str) -> Vec<LineHunk> {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let input = interned(&before, &after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let owned = |lines: &[&str], range: std::ops::Range<u32>| -> Vec<String> {
        let range = range.start as usize..range.end as usize;
        lines.get(range).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect()
    };
    diff.hunks()
        .map(|hunk| LineHunk {
            old_line: hunk.before.start as usize,
            new_line: hunk.after.start as usize,
            old: owned(&before, hunk.before),
            new: owned(&after, hunk.after),
        })
        .collect()
}

/// What two lines have in common and what each has for itself, by words, numbers and single marks.
///
/// ```
/// use unreal_packages::compare::{WordPart, word_parts};
///
/// let parts = word_parts("Damage = 5;", "Damage = 25;");
/// assert_eq!(parts[1], WordPart::Removed("5".to_owned()));
/// assert_eq!(parts[2], WordPart::Added("25".to_owned()));
/// ```
pub fn word_parts(old: &str, new: &str) -> Vec<WordPart> {
    let (before, after) = (words(old), words(new));
    let input = interned(&before, &after);
    let diff = Diff::compute(Algorithm::Myers, &input);
    let joined =
        |words: &[&str], from: usize, to: usize| words.get(from..to).unwrap_or_default().concat();
    let mut found = Vec::new();
    let mut put = |part: WordPart| match &part {
        WordPart::Same(text) | WordPart::Removed(text) | WordPart::Added(text)
            if text.is_empty() => {}
        _ => found.push(part),
    };
    let mut at = 0;
    for hunk in diff.hunks() {
        let (start, end) = (hunk.before.start as usize, hunk.before.end as usize);
        put(WordPart::Same(joined(&before, at, start)));
        put(WordPart::Removed(joined(&before, start, end)));
        put(WordPart::Added(joined(&after, hunk.after.start as usize, hunk.after.end as usize)));
        at = end;
    }
    put(WordPart::Same(joined(&before, at, before.len())));
    found
}

fn interned<'a>(before: &[&'a str], after: &[&'a str]) -> InternedInput<&'a str> {
    let mut input = InternedInput {
        before: Vec::new(),
        after: Vec::new(),
        interner: Interner::new(before.len() + after.len()),
    };
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    input
}

/// Words and numbers as one, other characters one by one.
fn words(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let size = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, tail) = rest.split_at(size);
        found.push(word);
        rest = tail;
    }
    found
}
