//! The text of a property taken apart: each single value with its path.

use super::table_rows::row_path;
use crate::property::{TextMember, ValueText, part_text};

/// Calls `each` with the path and the text of every single value in the text of a property, as
/// [`Values::property`](super::Values::property) takes paths. What is no such text is handed on whole.
pub(super) fn single_values<E>(
    path: &str,
    text: &str,
    each: &mut dyn FnMut(&str, &str) -> Result<(), E>,
) -> Result<(), E> {
    // Most are numbers and names.
    if !text.starts_with(['(', '"']) && !text.contains('(') {
        return each(path, text);
    }
    let Ok(value) = ValueText::parse(text) else { return each(path, text) };
    let mut path = path.to_owned();
    value_parts(&mut path, &value, each)
}

/// Groups nest no deeper than their parser allows.
fn value_parts<E>(
    path: &mut String,
    value: &ValueText,
    each: &mut dyn FnMut(&str, &str) -> Result<(), E>,
) -> Result<(), E> {
    let length = path.len();
    let members = match value {
        ValueText::Plain(text) | ValueText::Quoted(text) => return each(path, text),
        // The parts of a localised text are no values of their own.
        ValueText::Call(_, members) => {
            return members.iter().try_for_each(|member| {
                value_parts(path, &member.value, each)?;
                path.truncate(length);
                Ok(())
            });
        }
        ValueText::Group(members) => members,
    };
    for (row, member) in members.iter().enumerate() {
        let mut value = &member.value;
        match (&member.key, pair(member)) {
            (Some(key), _) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&part_text(key));
            }
            // Of a pair of a map the key is the path of the value.
            (None, Some((key, held))) => {
                each(path, key)?;
                path.push_str(&row_path(key));
                value = held;
            }
            (None, None) => path.push_str(&format!("[{row}]")),
        }
        value_parts(path, value, each)?;
        path.truncate(length);
    }
    Ok(())
}

/// The key and the value of a pair of a map: two values without names, where an element would be a single value
/// or a struct with names.
fn pair(member: &TextMember) -> Option<(&str, &ValueText)> {
    match &member.value {
        ValueText::Group(parts) => match &parts[..] {
            [key, value] if key.key.is_none() && value.key.is_none() => {
                Some((key.value.word()?, &value.value))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let all = single_values(path, text, &mut |path, text| {
            found.push(format!("{path}={text}"));
            Ok::<_, ()>(())
        });
        assert_eq!(all, Ok(()));
        found
    }

    #[test]
    fn each_single_value_has_the_path_that_sets_it() {
        for (text, found) in [
            ("7", &["P=7"][..]),
            ("\"a (b)\"", &["P=a (b)"]),
            ("a \"half", &["P=a \"half"]),
            ("(X=1,Y=2)", &["P.X=1", "P.Y=2"]),
            ("(1,\"two\")", &["P[0]=1", "P[1]=two"]),
            ("((Keys=(A,B)),(N=3))", &["P[0].Keys[0]=A", "P[0].Keys[1]=B", "P[1].N=3"]),
            ("((Red,(W=1)),(\"a]\",2))", &["P=Red", "P[Red].W=1", "P=a]", "P[\"a]\"]=2"]),
            ("NSLOCTEXT(\"n\",\"k\",\"Hello\")", &["P=n", "P=k", "P=Hello"]),
        ] {
            assert_eq!(parts("P", text), found, "{text}");
        }
    }
}
