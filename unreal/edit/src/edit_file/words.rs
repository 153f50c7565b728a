//! Words of a file of edits, and the variables in them.

use std::collections::BTreeMap;

use super::LineError;

/// The path of the object that the lines of a group are done with.
const OBJECT: &str = "OBJECT";
/// The name of that object.
const NAME: &str = "NAME";

/// EditVariables with their values.
pub(super) type EditVariables = BTreeMap<String, String>;

/// A text with what stands in it for an object that is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditWord(Vec<WordPiece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum WordPiece {
    Text(String),
    Object,
    Name,
}

impl EditWord {
    /// The text with its variables: `$NAME` or `${NAME}`; `$$` is a dollar. Within a group `$OBJECT` and `$NAME` stay
    /// for [`EditWord::of_object`].
    ///
    /// EditVariables double what they stand for line by line: `room` is what they may still add to the file.
    pub(super) fn parse(
        text: &str,
        variables: &EditVariables,
        in_group: bool,
        room: &mut usize,
    ) -> Result<Self, LineError> {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find('$') {
            plain.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('$') {
                plain.push('$');
                rest = after;
                continue;
            }
            let Some((name, after)) = variable(rest) else {
                plain.push('$');
                continue;
            };
            rest = after;
            let object = match name {
                OBJECT => Some(WordPiece::Object),
                NAME => Some(WordPiece::Name),
                _ => None,
            };
            match (object, variables.get(name)) {
                (Some(piece), _) if in_group => {
                    pieces.push(WordPiece::Text(std::mem::take(&mut plain)));
                    pieces.push(piece);
                }
                (Some(_), _) => {
                    let reason =
                        format!("'${name}' means something only within 'for … {{' and '}}'");
                    return Err(LineError::new(reason));
                }
                (None, Some(value)) => {
                    *room = room.checked_sub(value.len()).ok_or_else(|| {
                        LineError::new("the values of variables are too long together")
                    })?;
                    plain.push_str(value);
                }
                (None, None) => {
                    let next =
                        format!("--let {name}=VALUE gives it one, or a line `let {name} = VALUE`");
                    return Err(LineError::new(format!("'${name}' has no value")).with_next(next));
                }
            }
        }
        plain.push_str(rest);
        pieces.push(WordPiece::Text(plain));
        Ok(Self(pieces))
    }

    /// The text for an object of a group.
    pub fn of_object(&self, path: &str, name: &str) -> String {
        let piece = |piece: &WordPiece| match piece {
            WordPiece::Text(text) => text.clone(),
            WordPiece::Object => path.to_owned(),
            WordPiece::Name => name.to_owned(),
        };
        self.0.iter().map(piece).collect()
    }

    /// Whether it is the same for every object.
    pub fn is_plain(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, WordPiece::Text(_)))
    }
}

/// The name of a variable at the beginning of a text, and what stands behind it.
fn variable(text: &str) -> Option<(&str, &str)> {
    if let Some((name, rest)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        return is_name(name).then_some((name, rest));
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    is_name(name).then_some((name, rest))
}

/// Whether a text may be the name of a variable.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

/// The name and the value of `NAME=VALUE`, with blanks around the sign.
///
/// # Errors
/// What is no such text, and names that no variable has.
pub fn assignment(text: &str) -> Result<(String, String), LineError> {
    let wrong = |reason: String| LineError::new(reason).with_next("write NAME=VALUE");
    let (name, value) =
        text.split_once('=').ok_or_else(|| wrong(format!("'{text}' has no '='")))?;
    let name = name.trim();
    match is_name(name) && name != OBJECT && name != NAME {
        true => Ok((name.to_owned(), value.trim().to_owned())),
        false => Err(wrong(format!("a variable can't be called '{name}'"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_for_their_values() {
        let variables = EditVariables::from([("A".to_owned(), "x $B".to_owned())]);
        let text = |text: &str| {
            let word = EditWord::parse(text, &variables, true, &mut 100);
            word.map(|word| word.of_object("L.One", "One"))
        };
        assert_eq!(text("$A.${A}5 $$A $5").unwrap(), "x $B.x $B5 $A $5");
        assert_eq!(text("$OBJECT.X=${NAME}_2").unwrap(), "L.One.X=One_2");
        assert!(text("$B").unwrap_err().next.unwrap().contains("--let B=VALUE"));
        assert!(EditWord::parse("$OBJECT", &variables, false, &mut 100).is_err());
        assert!(EditWord::parse("$A", &variables, false, &mut 3).is_err());
    }
}
