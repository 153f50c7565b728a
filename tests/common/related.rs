//! Save games, texts of languages and a registry of assets, made by hand.

pub fn string(text: &str) -> Vec<u8> {
    if text.is_ascii() {
        let length = (text.len() as i32 + 1).to_le_bytes();
        return [&length[..], text.as_bytes(), &[0]].concat();
    }
    let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
    let length = (-(units.len() as i32)).to_le_bytes();
    length.into_iter().chain(units.into_iter().flat_map(u16::to_le_bytes)).collect()
}

fn property(name: &str, class: &str, detail: &[&str], value: &[u8]) -> Vec<u8> {
    let mut bytes = [string(name), string(class)].concat();
    bytes.extend((value.len() as u32).to_le_bytes());
    bytes.extend([0; 4]);
    detail.iter().for_each(|name| bytes.extend(string(name)));
    if class == "StructProperty" {
        bytes.extend([0; 16]);
    }
    bytes.push(0);
    bytes.extend(value);
    bytes
}

/// A save game of 4.27: `Health`, `Player`, `Weapon`, `Mode`, `Places`, `Home`.
pub fn save_game() -> Vec<u8> {
    let mut bytes = b"GVAS".to_vec();
    bytes.extend([2_u32, 522].map(u32::to_le_bytes).concat());
    bytes.extend([4_u16, 27, 2].map(u16::to_le_bytes).concat());
    bytes.extend([0; 4]);
    bytes.extend(string("++UE4+Release-4.27"));
    bytes.extend([3_u32, 1].map(u32::to_le_bytes).concat());
    bytes.extend([7; 16]);
    bytes.extend([1, 0, 0, 0]);
    bytes.extend(string("/Script/Game.MySave"));
    bytes.extend(property("Health", "IntProperty", &[], &75_i32.to_le_bytes()));
    bytes.extend(property("Player", "NameProperty", &[], &string("Straße")));
    bytes.extend(property("Weapon", "ObjectProperty", &[], &string("/Game/Sword.Sword")));
    bytes.extend(property("Mode", "ByteProperty", &["EMode"], &string("EMode::Fast")));
    let places = [&2_u32.to_le_bytes()[..], &string("Cave"), &string("None")].concat();
    bytes.extend(property("Places", "ArrayProperty", &["NameProperty"], &places));
    let inner = [property("Level", "IntProperty", &[], &[3, 0, 0, 0]), string("None")].concat();
    bytes.extend(property("Home", "StructProperty", &["MyHome"], &inner));
    bytes.extend(string("None"));
    bytes.extend([0; 4]);
    bytes
}

/// Texts of a language in each version: `Menu/Start`, `Menu/Stop` and `/Bare`, the first two with one text.
pub fn texts(version: u8) -> Vec<u8> {
    const MAGIC: [u8; 16] = [
        0x0e, 0x14, 0x74, 0x75, 0x67, 0x4a, 3, 0xfc, 0x4a, 0x15, 0x90, 0x9d, 0xc3, 0x37, 0x7f, 0x1b,
    ];
    let key = |text: &str| {
        let hash: &[u8] = if version >= 2 { &[1, 2, 3, 4] } else { &[] };
        [hash, &string(text)].concat()
    };
    let entry = |name: &str, row: u32| {
        let texts = ["Go", "Nackt – ohne"];
        let translation = match version {
            0 => string(texts[row as usize]),
            _ => row.to_le_bytes().to_vec(),
        };
        [key(name), vec![9, 9, 9, 9], translation].concat()
    };
    let mut bytes = Vec::new();
    if version > 0 {
        bytes.extend(MAGIC);
        bytes.push(version);
        bytes.extend([0; 8]);
    }
    if version >= 2 {
        bytes.extend(3_u32.to_le_bytes());
    }
    bytes.extend([&[2, 0, 0, 0][..], &key("Menu"), &[2, 0, 0, 0]].concat());
    bytes.extend([entry("Start", 0), entry("Stop", 0)].concat());
    bytes.extend([&key("")[..], &[1, 0, 0, 0], &entry("Bare", 1)].concat());
    if version > 0 {
        let at = (bytes.len() as u64).to_le_bytes();
        bytes[17..25].copy_from_slice(&at);
        bytes.extend([2, 0, 0, 0]);
        for (text, users) in [("Go", 2_u32), ("Nackt – ohne", 1)] {
            bytes.extend(string(text));
            if version >= 2 {
                bytes.extend(users.to_le_bytes());
            }
        }
    }
    bytes
}

/// A registry of version 5, byte by byte: one asset with one tag.
pub fn registry() -> Vec<u8> {
    let mut bytes = b"\xe7\x9e\x7f\x71\x3a\x49\xb0\xe9\x32\x91\xb3\x88\x07\x81\x38\x1b".to_vec();
    bytes.extend(5_i32.to_le_bytes());
    bytes.extend([0; 8]);
    let row = |row: i32, number: i32| [row, number].map(i32::to_le_bytes).concat();
    bytes.extend(1_i32.to_le_bytes());
    // Path, folder, class, package, object.
    for at in [0, 1, 2, 3] {
        bytes.extend(row(at, 0));
    }
    bytes.extend(row(4, 3));
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend(row(5, 0));
    bytes.extend(string("Größe"));
    bytes.extend([1, 12, 0x200].map(i32::to_le_bytes).concat());
    // Two nodes, the first of which needs the second; no packages.
    bytes.extend(2_i32.to_le_bytes());
    for (at, needed, referrers) in [(3, 1, 0), (1, 0, 1)] {
        bytes.push(1);
        bytes.extend(row(at, 0));
        bytes.extend([needed, 0, 0, 0, 0, referrers].map(i32::to_le_bytes).concat());
        bytes.extend(((at - 1) / 2).to_le_bytes());
    }
    bytes.extend(0_i32.to_le_bytes());
    let here = bytes.len() as i64;
    bytes[20..28].copy_from_slice(&here.to_le_bytes());
    let names = ["/Game/A.A", "/Game", "Texture2D", "/Game/A", "A", "Size"];
    bytes.extend((names.len() as i32).to_le_bytes());
    for name in names {
        bytes.extend(string(name));
        bytes.extend([1, 2, 3, 4]);
    }
    bytes
}
