//! The symbols of operators.

/// The words of signs in the names of operators' objects. Other words stand for themselves.
const WORDS: [(&str, &str); 18] = [
    ("Not", "!"),
    ("Complement", "~"),
    ("And", "&"),
    ("Or", "|"),
    ("Xor", "^"),
    ("Multiply", "*"),
    ("Divide", "/"),
    ("Percent", "%"),
    ("Add", "+"),
    ("Subtract", "-"),
    ("Less", "<"),
    ("Greater", ">"),
    ("Equal", "="),
    ("At", "@"),
    ("Concat", "$"),
    ("Dot", "dot"),
    ("Cross", "cross"),
    ("ClockwiseFrom", "clockwisefrom"),
];

/// The symbol that the compiler made the name of an operator from: `Subtract_VectorVector`
/// (spec: ue1-3/12 §12.5).
pub(crate) fn symbol_of(name: &str) -> Option<String> {
    let (mut rest, _) = name.split_once('_')?;
    let mut symbol = String::new();
    while !rest.is_empty() {
        let (word, sign) = WORDS.iter().find(|(word, _)| rest.starts_with(word))?;
        symbol.push_str(sign);
        rest = &rest[word.len()..];
    }
    (!symbol.is_empty()).then_some(symbol)
}

/// The words that the compiler makes the name of an operator's object of: what [`symbol_of`] reads.
pub(crate) fn words_of(symbol: &str) -> String {
    let mut words = String::new();
    if let Some((word, _)) = WORDS.iter().find(|(_, it)| it.eq_ignore_ascii_case(symbol)) {
        return (*word).to_owned();
    }
    for sign in symbol.chars() {
        let mut letters = [0; 4];
        let sign = &*sign.encode_utf8(&mut letters);
        let known = WORDS.iter().find(|(_, it)| *it == sign).map(|(word, _)| *word);
        words.push_str(known.unwrap_or(match sign {
            ":" => "Colon",
            "\\" => "BackSlash",
            other => other,
        }));
    }
    words
}
