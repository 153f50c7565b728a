//! Ini files.

use farchive::environment::Ini;

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
