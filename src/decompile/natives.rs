//! Native functions and operators by their numbers.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::dialect::Dialect;

/// What a number calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NativeCall {
    /// The name of a function, the symbol of an operator.
    pub name: String,
    /// How it is written.
    pub form: CallForm,
}

/// How a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallForm {
    /// With a name and parentheses.
    Function,
    /// Between its operands; the smaller the number, the closer it binds.
    Operator(u8),
    /// Before its operand.
    Before,
    /// Behind its operand.
    Behind,
}

type NativeTable = HashMap<u16, NativeCall>;

static UE1: LazyLock<NativeTable> = LazyLock::new(|| read(include_str!("natives/ue1.tsv")));
static UE2: LazyLock<NativeTable> = LazyLock::new(|| read(include_str!("natives/ue2.tsv")));
static UE3: LazyLock<NativeTable> = LazyLock::new(|| read(include_str!("natives/ue3.tsv")));

/// The rows of a table: number, name, form, precedence (spec: ue1-3/12 §12.7).
fn read(table: &str) -> NativeTable {
    let row = |line: &str| {
        let mut columns = line.split('\t');
        let number = columns.next()?.parse().ok()?;
        let name = columns.next()?.to_owned();
        let form = match columns.next()? {
            "operator" => CallForm::Operator(columns.next()?.parse().ok()?),
            "preoperator" => CallForm::Before,
            "postoperator" => CallForm::Behind,
            _ => CallForm::Function,
        };
        Some((number, NativeCall { name, form }))
    };
    table.lines().filter_map(row).collect()
}

/// What a number calls, as far as every package of the engine says the same.
pub(super) fn built_in(number: u16, dialect: Dialect) -> Option<&'static NativeCall> {
    let table = match dialect {
        Dialect::Ue1 => &UE1,
        Dialect::Ue2 => &UE2,
        Dialect::Ue3 => &UE3,
    };
    table.get(&number)
}

/// The precedence of a symbol, for functions that do not say theirs (spec: ue1-3/12 §12.7).
pub(super) fn usual_precedence(symbol: &str) -> u8 {
    match symbol.to_ascii_lowercase().as_str() {
        "**" => 12,
        "*" | "/" | "dot" | "cross" | "clockwisefrom" => 16,
        "%" => 18,
        "+" | "-" => 20,
        "<<" | ">>" | ">>>" => 22,
        "<" | ">" | "<=" | ">=" | "==" | "~=" => 24,
        "!=" => 26,
        "&" | "|" | "^" => 28,
        "&&" | "^^" => 30,
        "||" => 32,
        "*=" | "/=" | "+=" | "-=" => 34,
        "$" | "@" => 40,
        _ => 44,
    }
}
