//! Native functions and operators by their numbers.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::language::dialect::Dialect;

/// The function of a native number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NativeCall {
    /// The name of a function, the symbol of an operator.
    pub name: String,
    /// How it is written.
    pub form: CallForm,
    /// Which of its parameters takes values of which enum.
    pub values: Option<(usize, &'static str)>,
}

/// How a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallForm {
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
static DEUS_EX: LazyLock<NativeTable> = LazyLock::new(|| read(include_str!("natives/deus-ex.tsv")));

/// Packages that a game has beside those of its engine, and the numbers of their functions.
static OF_GAMES: [(Dialect, &str, &LazyLock<NativeTable>); 2] =
    [(Dialect::Ue1, "Extension", &DEUS_EX), (Dialect::Ue1, "DeusEx", &DEUS_EX)];

/// The rows of a table: number, name, form, precedence (spec: ue1-3/12 §12.7); perhaps a parameter and its enum.
fn read(table: &'static str) -> NativeTable {
    let row = |line: &'static str| {
        let mut columns = line.split('\t');
        let number = columns.next()?.parse().ok()?;
        let name = columns.next()?.to_owned();
        let (form, precedence) = (columns.next()?, columns.next()?);
        let form = match form {
            "operator" => CallForm::Operator(precedence.parse().ok()?),
            "preoperator" => CallForm::Before,
            "postoperator" => CallForm::Behind,
            _ => CallForm::Function,
        };
        let parameter = columns.next().and_then(|at| at.parse().ok());
        let values = parameter.zip(columns.next());
        Some((number, NativeCall { name, form, values }))
    };
    table.lines().filter_map(row).collect()
}

/// Functions of native numbers in a package whose own functions do not say it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownNatives {
    of_engine: &'static LazyLock<NativeTable>,
    of_game: Option<&'static LazyLock<NativeTable>>,
}

impl KnownNatives {
    /// The native numbers of the engine, and of the game that one of these packages is from.
    pub fn of<'a>(dialect: Dialect, mut packages: impl Iterator<Item = &'a str>) -> Self {
        let of_engine = match dialect {
            Dialect::Ue1 => &UE1,
            Dialect::Ue2 => &UE2,
            Dialect::Ue3 => &UE3,
        };
        let of_game = packages.find_map(|name| {
            let is = |(of, package, _): &&(Dialect, &str, _)| {
                *of == dialect && name.eq_ignore_ascii_case(package)
            };
            OF_GAMES.iter().find(is).map(|(_, _, table)| *table)
        });
        Self { of_engine, of_game }
    }

    pub fn get(self, number: u16) -> Option<&'static NativeCall> {
        let of_game = || self.of_game?.get(&number);
        self.of_engine.get(&number).or_else(of_game)
    }
}

/// The precedence of a symbol, for functions that do not say theirs (spec: ue1-3/12 §12.7).
pub(crate) fn usual_precedence(symbol: &str) -> u8 {
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
