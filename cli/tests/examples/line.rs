//! A command line taken apart as a shell does: words, quotes, pipes, redirections. Only what examples need;
//! the rest is refused, since it means something else in every shell.

use std::path::Path;

/// One program of a line.
#[derive(Debug, Default, PartialEq)]
pub struct Command {
    pub words: Vec<String>,
    /// The file behind `<`.
    pub input: Option<String>,
    /// The file behind `>`.
    pub output: Option<String>,
}

/// The command line that a line of a page or of the help shows, if it runs `upk`, at its start or behind a pipe.
pub fn example(text: &str) -> Option<&str> {
    let text = text.trim();
    let text = text.strip_prefix("Next: ").unwrap_or(text);
    let runs = text.starts_with("upk ") || text.contains("| upk ");
    runs.then(|| without_remark(text))
}

/// The line without what explains it: behind ` #` in a shell, behind two spaces in the help.
fn without_remark(text: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, found) in text.char_indices() {
        match quote {
            Some(open) if open == found => quote = None,
            Some(_) => {}
            None if matches!(found, '\'' | '"') => quote = Some(found),
            None if before == ' ' && matches!(found, '#' | ' ') => return text[..at].trim_end(),
            None => {}
        }
        before = found;
    }
    text
}

/// The programs of a line, each with what the one before it prints as its input.
pub fn parse(text: &str, home: &Path) -> Result<Vec<Command>, String> {
    let mut pipeline = vec![Command::default()];
    let mut redirection = None;
    let mut chars = text.chars().peekable();
    while let Some(&next) = chars.peek() {
        let command = pipeline.last_mut().ok_or("no command")?;
        match next {
            ' ' => drop(chars.next()),
            '|' => {
                chars.next();
                pipeline.push(Command::default());
            }
            '<' | '>' => {
                chars.next();
                redirection = Some(next);
            }
            _ => {
                let word = word(&mut chars, home)?;
                match redirection.take() {
                    Some('<') => command.input = Some(word),
                    Some(_) => command.output = Some(word),
                    None => command.words.push(word),
                }
            }
        }
    }
    match pipeline.iter().all(|command| !command.words.is_empty()) && redirection.is_none() {
        true => Ok(pipeline),
        false => Err("a pipe or an arrow leads nowhere".to_owned()),
    }
}

fn word(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    home: &Path,
) -> Result<String, String> {
    let mut word = String::new();
    let mut quote = None;
    while let Some(&next) = chars.peek() {
        match (quote, next) {
            (Some(open), _) if open == next => quote = None,
            (Some('"'), '$' | '`' | '\\' | '!') | (None, '$' | '`' | '\\' | '!') => {
                return Err(format!("a shell does not leave {next} as it is"));
            }
            (Some(_), _) => word.push(next),
            (None, '\'' | '"') => quote = Some(next),
            (None, ' ' | '|' | '<' | '>') => break,
            (None, '*' | '?' | '[' | ']' | '{' | '}' | '(' | ')' | ';' | '&') => {
                return Err(format!("{next} must stand within quotes"));
            }
            (None, '~') if word.is_empty() => word.push_str(&home.display().to_string()),
            (None, _) => word.push(next),
        }
        chars.next();
    }
    quote.map_or(Ok(word), |open| Err(format!("nothing closes the quote {open}")))
}

#[test]
fn lines_are_taken_apart_as_a_shell_does() {
    let home = Path::new("/home");
    let words = |text: &str| parse(text, home).map(|line| line[0].words.clone());
    assert_eq!(
        words("upk get 'a b' \"c'd'\" ~/e").unwrap(),
        ["upk", "get", "a b", "c'd'", "/home/e"]
    );
    let line = parse("upk info - < in | jq '.a[]' > out", home).unwrap();
    assert_eq!((line.len(), line[0].input.as_deref()), (2, Some("in")));
    assert_eq!(
        (line[1].words.as_slice(), line[1].output.as_deref()),
        (&["jq".into(), ".a[]".into()][..], Some("out"))
    );
    for wrong in ["upk get A[1]", "upk get 'A", "upk list |", "upk get $A"] {
        assert!(words(wrong).is_err(), "{wrong}");
    }
    assert_eq!(without_remark("upk dump '#12  a'  says # what"), "upk dump '#12  a'");
    assert_eq!(without_remark("upk info E.u # says what"), "upk info E.u");
}
