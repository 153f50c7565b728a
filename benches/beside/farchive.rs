//! With this crate.

use farchive::{Archived, Loader, Result, Saver, Versions, with};

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"LEVL")]
pub struct Level {
    #[archive(with = with::version_u32(1..=2))]
    version: (),
    pub title: String,
    #[since(2)]
    pub gravity: f32,
    pub things: Vec<Thing>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Thing {
    x: i16,
    y: i16,
    kind: Kind,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum Kind {
    #[default]
    Start,
    #[since(2)]
    Door {
        flags: u8,
        #[archive(when = *flags & 1 != 0)]
        key: u32,
    } = 16,
}

pub fn load(bytes: &[u8]) -> Result<Level> {
    let mut level = Level::default();
    level.serialize(&mut Loader::new(bytes, Versions::own(2)))?;
    Ok(level)
}

pub fn save(level: &mut Level, version: u32) -> Result<Vec<u8>> {
    let mut saver = Saver::new(Versions::own(version));
    level.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}
