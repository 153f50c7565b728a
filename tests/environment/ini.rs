//! Ini files.

use unreal_packages::environment::Ini;

#[test]
fn ini_files_keep_what_is_not_changed() {
    let text = "; first\r\n\r\n[Core.System]\r\n  Paths = ..\\Maps\\*.unr  \r\nodd line\r\nPaths=a\r\n[B]\r\nK=\"v\"";
    let mut ini = Ini::parse(text.as_bytes());
    assert_eq!(ini.to_bytes(), text.as_bytes());
    assert_eq!(ini.values("core.system", "paths"), ["..\\Maps\\*.unr", "a"]);
    assert_eq!(ini.get("B", "K"), Some("v"));
    ini.add("Core.System", "Paths", "b");
    ini.set("Core.System", "New", "1");
    ini.set("B", "K", "w");
    ini.add("C", "X", "y");
    assert_eq!(ini.remove("Core.System", "Paths", Some("A")), 1);
    let expected = "; first\r\n\r\n[Core.System]\r\n  Paths = ..\\Maps\\*.unr  \r\nodd line\r\nPaths=b\r\nNew=1\r\n\
                    [B]\r\nK=w\r\n\r\n[C]\r\nX=y\r\n";
    assert_eq!(String::from_utf8(ini.to_bytes()).unwrap(), expected);
}

#[test]
fn ini_values_follow_indices_and_operators() {
    let ini = Ini::parse(
        b"[S]\nPaths[1]=b\nPaths[0]=a\n.P=1\n+P=1\n+P=2\nP=3\n-P=3\n[T]\nP=9\n[s]\nQ=1\n!Q=x\n+Q=2\n",
    );
    assert_eq!(ini.values("S", "Paths"), ["a", "b"]);
    assert_eq!(ini.values("S", "P"), ["1", "2"]);
    assert_eq!(ini.values("S", "Q"), ["2"]);
    let mut base = Ini::parse(b"[S]\nP=1\nP=2\nR=old\nQ=1\n");
    base.overlay(&Ini::parse(b"[S]\n+P=3\n+P=2\n-P=1\nR=new\nR=newer\n!Q=\n[U]\nA=b\n"));
    assert_eq!(base.values("S", "P"), ["2", "3"]);
    assert_eq!(base.values("S", "R"), ["new", "newer"]);
    assert!(base.values("S", "Q").is_empty());
    assert_eq!(base.get("U", "A"), Some("b"));
}

#[test]
fn ini_files_keep_their_encoding() {
    let wide: Vec<u8> =
        "\u{feff}[S]\r\nK=é\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin = b"[S]\r\nK=\xe9\r\n";
    for bytes in [&wide[..], &latin[..]] {
        let mut ini = Ini::parse(bytes);
        assert_eq!(ini.to_bytes(), bytes);
        assert_eq!(ini.get("S", "K"), Some("é"));
        ini.set("S", "K", "日本");
        assert_eq!(Ini::parse(&ini.to_bytes()).get("S", "K"), Some("日本"));
    }
}

/// UTF-16 with half a surrogate pair in a value, and half a character at the end.
fn damaged(bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mut units: Vec<u16> = "\u{feff}[S]\r\nA=1\r\nBroken=".encode_utf16().collect();
    units.push(0xd800);
    units.extend("\r\nC=3\r\n[T]\r\nD=".encode_utf16());
    units.push(0xdc00);
    let mut file: Vec<u8> = units.into_iter().flat_map(bytes).collect();
    file.push(0x41);
    file
}

#[test]
fn damaged_ini_files_come_back_and_edits_change_only_their_line() {
    let broken_mark = b"\xef\xbb\xbf[S]\r\nA=1\r\nBroken=\xff\xc3\r\nC=3\r\n".to_vec();
    let files = [damaged(u16::to_le_bytes), damaged(u16::to_be_bytes), broken_mark];
    for file in files {
        let ini = Ini::parse(&file);
        assert_eq!(ini.to_bytes(), file);
        assert_eq!((ini.get("S", "A"), ini.get("S", "C")), (Some("1"), Some("3")));
        let mut changed = ini.clone();
        changed.set("S", "C", "4");
        let differ: Vec<usize> =
            (0..file.len()).filter(|&at| changed.to_bytes()[at] != file[at]).collect();
        assert_eq!((changed.to_bytes().len(), differ.len()), (file.len(), 1), "one digit");
        changed.set("S", "C", "3");
        assert_eq!(changed.to_bytes(), file);
        // A section behind a line without an end.
        changed.add("U", "E", "5");
        let again = Ini::parse(&changed.to_bytes());
        assert_eq!((again.get("U", "E"), again.get("S", "A")), (Some("5"), Some("1")));
        assert_eq!(again.to_bytes(), changed.to_bytes());
        let mut removed = ini.clone();
        assert_eq!(removed.remove("S", "Broken", None), 1);
        assert_eq!(removed.get("S", "C"), Some("3"));
    }
}

#[test]
fn any_bytes_are_an_ini_file_that_comes_back() {
    let text = b"\xff\xfe[S]\nA=\x00\xd8\n\xdc";
    for mark in [&b""[..], b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"] {
        for end in 0..=text.len() {
            for byte in [0, 0x0a, 0xd8, 0xdc, 0xff] {
                let file = [mark, &text[..end], &[byte]].concat();
                assert_eq!(Ini::parse(&file).to_bytes(), file);
            }
        }
    }
}
