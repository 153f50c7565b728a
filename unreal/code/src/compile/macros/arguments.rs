//! The parts of a macro's call and of its definition.

/// Whether a byte may stand in a name.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where a text in quotes that starts at a byte ends: behind its closing quote, or before the end of the line.
pub(super) fn end_of_text(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\r' | b'\n')) => at += 1,
            b'"' => return at + 1,
            b'\r' | b'\n' => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The arguments of a call whose opening parenthesis stands at a byte, without the blanks around them, and where the call
/// ends. `None` where nothing closes it.
pub(super) fn arguments(text: &str, open: usize) -> Option<(Vec<&str>, usize)> {
    let bytes = text.as_bytes();
    let (mut found, mut start, mut depth, mut at) = (Vec::new(), open + 1, 0_u32, open);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_text(text, at);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(text.get(start..at)?.trim());
                    return Some((found, at + 1));
                }
            }
            b',' if depth == 1 => {
                found.push(text.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// A definition: what stands behind `` `define ``.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MacroDefinition<'a> {
    /// Empty where none stands there.
    pub name: &'a str,
    pub parameters: Vec<&'a str>,
    /// Its text, with a blank where it goes on in another line, and without a comment at its end.
    pub body: String,
    /// The byte at which its last line ends.
    pub end: usize,
}

/// The definition that starts at a byte.
pub(super) fn definition(text: &str, start: usize) -> MacroDefinition<'_> {
    let bytes = text.as_bytes();
    let skip = |at: usize, is: fn(u8) -> bool| {
        let behind = bytes.get(at..).unwrap_or_default();
        at + behind.iter().take_while(|byte| is(**byte)).count()
    };
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let name_at = skip(start, is_blank);
    let name_end = skip(name_at, is_name);
    let name = text.get(name_at..name_end).unwrap_or_default();
    let (mut parameters, mut at) = (Vec::new(), name_end);
    if bytes.get(at) == Some(&b'(')
        && let Some((found, end)) = arguments(text, at)
    {
        parameters = found;
        parameters.retain(|name| !name.is_empty());
        at = end;
    }
    let mut body = String::new();
    let mut end = at;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default().trim_end();
        match line.strip_suffix('\\').filter(|_| length < rest.len()) {
            Some(line) => {
                body.push_str(line.trim_end());
                body.push(' ');
                end += length + 1;
            }
            None => {
                body.push_str(without_comment(line));
                end += line.len();
                break;
            }
        }
    }
    let body = body.trim().to_owned();
    MacroDefinition { name, parameters, body, end }
}

/// A text on one line, without the comments at the ends of its lines.
pub(super) fn on_one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| without_comment(line).trim()).collect();
    lines.join(" ")
}

/// A line without a comment at its end: it would hide what stands behind the macro where that is used.
fn without_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_text(line, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => return line.get(..at).unwrap_or(line),
            _ => {}
        }
        at += 1;
    }
    line
}
