//! Any bytes are an ini file: it is saved as it was, and what is set is read again.

use unreal_packages::environment::Ini;

pub fn run(data: &[u8]) {
    let mut ini = Ini::parse(data);
    assert_eq!(ini.to_bytes(), data, "what was read is saved otherwise");
    let sections: Vec<String> = ini.sections().into_iter().map(str::to_owned).collect();
    let keys: Vec<(String, String)> = sections
        .iter()
        .flat_map(|section| {
            ini.entries(section).map(move |(key, _)| (section.clone(), key.to_owned()))
        })
        .take(8)
        .collect();
    for (section, key) in &keys {
        assert!(ini.get(section, key).is_some(), "{section} has no {key}");
        let _ = ini.values(section, key);
    }
    ini.add("Fuzz.Section", "Größe", "1");
    ini.set("Fuzz.Section", "Key", "a value");
    ini.set("Fuzz.Section", "Key", "another");
    if let Some((section, key)) = keys.first() {
        ini.set(section, key, "set");
        assert_eq!(ini.get(section, key), Some("set"), "[{section}] {key}");
        ini.remove(section, key, None);
        assert_eq!(ini.get(section, key), None, "[{section}] {key}");
    }
    let again = Ini::parse(&ini.to_bytes());
    assert_eq!(again.get("Fuzz.Section", "Key"), Some("another"));
    assert_eq!(again.get("fuzz.section", "Größe"), Some("1"));
    assert_eq!(again.sections(), ini.sections());
    let mut under = Ini::parse(b"[A]\r\nKey=1\r\n");
    under.overlay(&again);
    let _ = Ini::parse(&under.to_bytes());
}
