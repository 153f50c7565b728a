//! Operands of the operators that all engines have under the same numbers.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::kind::kind_of_word;
use super::signature::{Parameter, Signature};

/// Symbol and signature by number.
static OPERATORS: LazyLock<HashMap<u16, (&'static str, Signature)>> =
    LazyLock::new(|| include_str!("operators.tsv").lines().filter_map(read).collect());

/// A row: number, symbol, type of the result, types of the operands, `out` before those that are changed
/// (spec: ue1-3/12 §12.7).
fn read(line: &'static str) -> Option<(u16, (&'static str, Signature))> {
    let mut columns = line.split('\t');
    let number = columns.next()?.parse().ok()?;
    let symbol = columns.next()?;
    let result = kind_of_word(columns.next()?);
    let operand = |(word, name): (&str, &str)| {
        let of = word.strip_prefix("out ");
        let kind = kind_of_word(of.unwrap_or(word));
        Parameter { name: name.to_owned(), kind, is_optional: false, is_out: of.is_some() }
    };
    let parameters = columns.zip(["A", "B"]).map(operand).collect();
    Some((number, (symbol, Signature { parameters, result, returns: true })))
}

/// The operands of a number's operator, if that number has this symbol.
pub(super) fn operator(number: u16, symbol: &str) -> Option<&'static Signature> {
    let (known, signature) = OPERATORS.get(&number)?;
    known.eq_ignore_ascii_case(symbol).then_some(signature)
}
