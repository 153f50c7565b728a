//! Class files as text.

/// The text of a class file: UTF-16 with its mark, UTF-8, or else one byte a character, which packages store as it is.
///
/// ```
/// use unreal_packages::make::source_text;
///
/// assert_eq!(source_text(b"class A;"), "class A;");
/// assert_eq!(source_text(&[0xff, 0xfe, b'A', 0]), "A");
/// assert_eq!(source_text(&[0xe9]), "\u{e9}");
/// ```
pub fn source_text(bytes: &[u8]) -> String {
    let units = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2).filter_map(|pair| pair.first_chunk().copied());
        char::decode_utf16(pairs.map(of)).map(|it| it.unwrap_or('\u{fffd}')).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => units(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => units(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        bytes => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().copied().map(char::from).collect(),
        },
    }
}
