//! The hashes by which containers know names, packages and objects: CityHash64 of texts without capitals.
//!
//! Only `A` to `Z` count as capitals. Spec: ue4-5/12 §2.

/// The two bits of a reference that say what kind it is.
const KIND: u64 = 3 << 62;

/// Of a name without its number: characters as bytes where all are ASCII, else UTF-16.
pub fn of_name(text: &str) -> u64 {
    match text.is_ascii() {
        true => cityhasher::hash(text.to_ascii_lowercase()),
        false => of_lower(text, |unit| unit),
    }
}

/// Of a package's name, `/Game/Maps/Town`: the number of the package.
pub fn of_package(name: &str) -> u64 {
    of_lower(name, |unit| unit)
}

/// Of the path of an object in a script package, `/Script/Engine.Actor:Tick`, without the bits of the kind.
pub fn of_script_object(path: &str) -> u64 {
    of_lower(path, slashed) & !KIND
}

/// Of the path of an object within its package, `Town.PersistentLevel`: what other packages know it by.
pub fn of_public_export(path: &str) -> u64 {
    of_lower(path, slashed)
}

fn slashed(unit: u16) -> u16 {
    match u8::try_from(unit) {
        Ok(b'.' | b':') => u16::from(b'/'),
        _ => unit,
    }
}

fn of_lower(text: &str, change: impl Fn(u16) -> u16) -> u64 {
    let lower = |unit: u16| match u8::try_from(unit) {
        Ok(byte) => u16::from(byte.to_ascii_lowercase()),
        Err(_) => unit,
    };
    let units = text.encode_utf16().map(|unit| change(lower(unit)));
    cityhasher::hash(units.flat_map(u16::to_le_bytes).collect::<Vec<_>>())
}
