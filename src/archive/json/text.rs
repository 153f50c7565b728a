//! Texts that stand for what is stored.

use serde_json::Value;

use crate::archive::Space;
use crate::version::Versions;

/// The texts that stand for rows and strings in JSON, both ways. What has no text is written as it is stored.
pub trait JsonTexts {
    /// The text of a row of `space`, which no other row has.
    fn text(&self, space: &Space, row: i32) -> Option<&str> {
        let _ = (space, row);
        None
    }

    /// The row that this text stands for.
    fn row(&self, space: &Space, text: &str) -> Option<i32> {
        let _ = (space, text);
        None
    }

    /// The text of a row with a number beside it, which means nothing else.
    fn numbered_text(&self, space: &Space, row: i32, number: i32) -> Option<String> {
        let _ = (space, row, number);
        None
    }

    /// The row that this text stands for, and the number beside it.
    fn numbered_row(&self, space: &Space, text: &str) -> Option<(i32, i32)> {
        self.row(space, text).map(|row| (row, 0))
    }

    /// Whether the text of a row looks like that of another row with a number, so that 0 must stand beside it.
    fn is_parted(&self, space: &Space, text: &str) -> bool {
        let _ = (space, text);
        false
    }

    /// The value of a field about a list that is written as `[]`: the number of its elements, the name that ends it.
    /// `None` for a field that no empty list has.
    fn of_empty(&self, field: &str) -> Option<Value> {
        let _ = field;
        None
    }

    /// The text that stands for a value of these fields; [`JsonTexts::apart`] must give the same fields again.
    fn joined(&self, fields: &[(&str, &Value)], versions: &Versions) -> Option<String> {
        let _ = (fields, versions);
        None
    }

    /// The fields of the value that a text stands for.
    fn apart(&self, text: &str, versions: &Versions) -> Vec<(&'static str, Value)> {
        let _ = (text, versions);
        Vec::new()
    }
}

/// No texts: rows are numbers, strings are fields.
impl JsonTexts for () {}
