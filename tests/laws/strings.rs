//! Strings: bytes, encoding, terminator and length as they were stored.

use unreal_packages::archive::{Archived, Loader, Saver};
use unreal_packages::primitive::{Encoding, ansi_text};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ByteOrder, ErrorKind, FString, Game, Name, Versions};

use crate::stored::{file, kept, loaded, saved};

fn big() -> Versions {
    file(868).with_byte_order(ByteOrder::Big)
}

#[test]
fn texts_take_the_narrowest_form() {
    kept(FString::new("Hi"), &file(868), b"\x03\0\0\0Hi\0");
    kept(FString::from("Hi"), &file(69), b"\x03Hi\0");
    kept(FString::new(""), &file(868), &[0; 4]);
    let wide = FString::new("\u{3a9}a");
    kept(wide.clone(), &file(868), &[0xfd, 0xff, 0xff, 0xff, 0xa9, 3, b'a', 0, 0, 0]);
    kept(wide.clone(), &file(69), &[0x83, 0xa9, 3, b'a', 0, 0, 0]);
    let swapped = FString::new_in("\u{3a9}a", ByteOrder::Big, Game::Mainline);
    kept(swapped.clone(), &big(), &[0xff, 0xff, 0xff, 0xfd, 3, 0xa9, 0, b'a', 0, 0]);
    let third = FString::new_in("\u{3a9}a", ByteOrder::Big, Game::MassEffect3);
    let versions = big().with_game(Game::MassEffect3);
    kept(third.clone(), &versions, &[0xff, 0xff, 0xff, 0xfd, 0xa9, 3, b'a', 0, 0, 0]);
    let encodings = [&FString::new("Hi"), &wide, &swapped, &third].map(FString::encoding);
    assert_eq!(
        encodings,
        [Encoding::Ansi, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf16Le]
    );
    for string in [&wide, &swapped, &third] {
        assert_eq!(string.text(&[]).unwrap(), "\u{3a9}a");
        assert_eq!((string.span().len(), string.is_empty()), (4, false));
    }
    assert!(FString::EMPTY.is_empty() && FString::EMPTY == FString::default());
    assert_eq!(format!("{wide:?}"), "\"\u{3a9}a\"");
}

#[test]
fn eight_bits_are_those_of_windows() {
    let string = FString::ansi("Gr\u{f6}\u{df}e\u{20ac}").unwrap();
    let bytes = [7, 0, 0, 0, b'G', b'r', 0xf6, 0xdf, b'e', 0x80, 0];
    kept(string.clone(), &file(868), &bytes);
    assert_eq!(string.text(&[]).unwrap(), "Gr\u{f6}\u{df}e\u{20ac}");
    assert_eq!(FString::ansi("\u{3a9}"), None);
    assert_eq!(ansi_text(&[0x80, b'a']), "\u{20ac}a");
}

#[test]
fn characters_are_those_that_browsers_read() {
    use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(ansi_text(&all), WINDOWS_1252.decode_without_bom_handling(&all).0);
    for c in ('\u{1}'..='\u{2fff}').chain(['\u{fffd}', '\u{1f600}']) {
        let text = c.to_string();
        let (bytes, _, is_lost) = WINDOWS_1252.encode(&text);
        let ours = FString::ansi(&text).map(|it| it.span().bytes(&[]).unwrap().to_vec());
        assert_eq!(ours, (!is_lost).then(|| bytes.into_owned()), "{c:?}");
    }
    // Pairs, halves of pairs in every order, and half a unit behind them.
    let (high, low, plain) = (0xd83d_u16, 0xde00_u16, 0x61_u16);
    for units in [[plain, high, low], [high, plain, low], [low, high, plain], [high, high, low]] {
        for (order, encoding, known) in [
            (ByteOrder::Little, Encoding::Utf16Le, UTF_16LE),
            (ByteOrder::Big, Encoding::Utf16Be, UTF_16BE),
        ] {
            let bytes: Vec<u8> = match order {
                ByteOrder::Little => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
                ByteOrder::Big => units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
            };
            let text = FString::from_bytes(bytes.clone(), encoding);
            let expected = known.decode_without_bom_handling(&bytes).0;
            assert_eq!(text.text(&[]).unwrap(), expected, "{units:x?}");
            let mut cut = bytes[..4].to_vec();
            cut.push(0x20);
            let ours = FString::from_bytes(cut.clone(), encoding).text(&[]).unwrap().into_owned();
            // Half a pair and half a unit are one fault to browsers.
            let whole = known.decode_without_bom_handling(&cut).0;
            let twice = if units[1] == high { "\u{fffd}" } else { "" };
            assert_eq!(ours, format!("{whole}{twice}"), "{units:x?}");
        }
    }
}

#[test]
fn a_missing_terminator_is_kept() {
    for (bytes, text, order) in [
        (&b"\x02\0\0\0Hi"[..], "Hi", ByteOrder::Little),
        (&[0xfe, 0xff, 0xff, 0xff, b'H', 0, b'i', 0], "Hi", ByteOrder::Little),
        (&[0xff, 0xff, 0xff, 0xff, b'H', 0], "H", ByteOrder::Little),
        (&[0xff, 0xff, 0xff, 0xfe, 0, b'H', 0, b'i'], "Hi", ByteOrder::Big),
        (&[1, 0, 0, 0, b'H'], "H", ByteOrder::Little),
    ] {
        let versions = file(868).with_byte_order(order);
        let (mut string, used) = loaded::<FString>(bytes, &versions).unwrap();
        assert_eq!(used, bytes.len());
        assert_eq!(string.text(bytes).unwrap(), text);
        string.materialize(bytes).unwrap();
        assert_eq!(string.span().as_owned().map(<[u8]>::len), Some(bytes.len() - 4));
        kept(string, &versions, bytes);
    }
    let (string, _) = loaded::<FString>(b"\x03\0\0\0Hi\0", &file(868)).unwrap();
    assert!(format!("{string:?}").starts_with("FString(Ansi "), "{string:?}");
    assert!(string.text(&[]).is_err() && string.clone().materialize(&[]).is_err());
    // An owned string is overwritten like any other.
    let mut string = FString::new("longer than that");
    string.serialize(&mut Loader::new(b"\x02\0\0\0Hi", file(868))).unwrap();
    assert_eq!(string.text(b"\x02\0\0\0Hi").unwrap(), "Hi");
}

#[test]
fn texts_that_do_not_fit_the_version_are_refused() {
    let odd = FString::from_bytes([1, 2, 3], Encoding::Utf16Le);
    for (string, versions) in [
        (odd, file(868)),
        (FString::new("\u{3a9}"), big()),
        (FString::new_in("\u{3a9}", ByteOrder::Big, Game::Mainline), file(868)),
    ] {
        let error = saved(&mut string.clone(), &versions).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BadText { .. }), "{error}");
    }
}

#[test]
fn terminated_strings_have_no_length() {
    let mut string = FString::new("Hi");
    let mut saver = Saver::new(file(60));
    FString::terminated(&mut string, &mut saver).unwrap();
    assert_eq!(saver.into_bytes(), b"Hi\0");
    let mut found = FString::new("\u{3a9}");
    let mut loader = Loader::new(b"Hi\0x", file(60));
    FString::terminated(&mut found, &mut loader).unwrap();
    assert_eq!((loader.remaining(), found.encoding()), (1, Encoding::Ansi));
    found.materialize(b"Hi\0x").unwrap();
    assert_eq!(found, string);
    // From version 64 on it has a length.
    assert_eq!(saved(&mut found, &file(69)).unwrap(), b"\x03Hi\0");
    let error =
        FString::terminated(&mut FString::new("\u{3a9}"), &mut Saver::new(file(60))).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BadText { .. }), "{error}");
    let error = FString::terminated(&mut found, &mut Loader::new(b"Hi", file(60))).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnexpectedEnd { .. }), "{error}");
}

#[test]
fn names_part_as_engines_show_their_numbers() {
    for (text, parts) in [
        ("Light_3", Some(("Light", 4))),
        ("Light_0", Some(("Light", 1))),
        ("A_B_12", Some(("A_B", 13))),
        ("A__0", Some(("A_", 1))),
        ("Light_2147483646", Some(("Light", i32::MAX))),
        ("Light_2147483647", None),
        ("Light_03", None),
        ("Light_00", None),
        ("Light_+3", None),
        ("Light_-3", None),
        ("Light_3a", None),
        ("Light_", None),
        ("_3", None),
        ("Light", None),
    ] {
        assert_eq!(Name::split(text), parts, "{text}");
    }
}
