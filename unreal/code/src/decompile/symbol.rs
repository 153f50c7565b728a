//! The symbols of operators.

/// The symbol that the compiler made the name of an operator from: `Subtract_VectorVector`
/// (spec: ue1-3/12 §12.5).
pub(super) fn symbol_of(name: &str) -> Option<String> {
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
    let (mut rest, _) = name.split_once('_')?;
    let mut symbol = String::new();
    while !rest.is_empty() {
        let (word, sign) = WORDS.iter().find(|(word, _)| rest.starts_with(word))?;
        symbol.push_str(sign);
        rest = &rest[word.len()..];
    }
    (!symbol.is_empty()).then_some(symbol)
}
