//! Functions of the engine's libraries that are operators (spec: ue4-5/13 §13.3).

/// How a call of a library is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LibraryForm {
    /// Between two operands.
    Between(&'static str),
    /// Between two operands, the whole denied.
    Denied(&'static str),
    /// Before one operand.
    Before(&'static str),
    /// `c ? a : b`.
    Choice,
    /// `a[i]` is the last operand's value: `item = a[i]`.
    Element,
    /// A member of the first operand.
    Member(&'static str),
}

/// How a function is written that is called with so many operands; `None` for a plain call.
pub(super) fn library_form(name: &str, operands: usize) -> Option<LibraryForm> {
    use LibraryForm::{Before, Between, Choice, Denied, Element, Member};
    if let Some(array) = name.strip_prefix("Array_") {
        return Some(match (array, operands) {
            ("Get", 3) => Element,
            ("Length", 1) => Member("Num"),
            ("Add", 2) => Member("Add"),
            ("Clear", 1) => Member("Empty"),
            ("Contains", 2) => Member("Contains"),
            ("Find", 2) => Member("Find"),
            ("Insert", 3) => Member("Insert"),
            ("Remove", 2) => Member("RemoveAt"),
            ("RemoveItem", 2) => Member("Remove"),
            ("Resize", 2) => Member("SetNum"),
            _ => return None,
        });
    }
    let start = name.split('_').next().unwrap_or_default();
    let is_select = start.starts_with("Select") && operands == 3;
    Some(match (start, operands) {
        ("Add", 2) => Between("+"),
        ("Subtract", 2) => Between("-"),
        ("Multiply", 2) => Between("*"),
        ("Divide", 2) => Between("/"),
        ("Percent", 2) => Between("%"),
        ("Less", 2) => Between("<"),
        ("LessEqual", 2) => Between("<="),
        ("Greater", 2) => Between(">"),
        ("GreaterEqual", 2) => Between(">="),
        ("EqualEqual", 2) => Between("=="),
        ("NotEqual", 2) => Between("!="),
        ("BooleanAND", 2) => Between("&&"),
        ("BooleanOR", 2) => Between("||"),
        ("BooleanXOR", 2) => Between("^"),
        ("BooleanNAND", 2) => Denied("&&"),
        ("BooleanNOR", 2) => Denied("||"),
        ("And", 2) => Between("&"),
        ("Or", 2) => Between("|"),
        ("Xor", 2) => Between("^"),
        ("Concat", 2) if name == "Concat_StrStr" => Between("+"),
        ("Not", 1) if name == "Not_PreBool" => Before("!"),
        ("Not", 1) => Before("~"),
        ("Negate" | "NegateVector" | "NegateRotator", 1) => Before("-"),
        _ if is_select && name != "SelectColor" => Choice,
        _ => return None,
    })
}
