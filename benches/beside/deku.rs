//! With `deku`.

use deku::prelude::*;

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(magic = b"LEVL", endian = "little")]
pub struct Level {
    pub version: u32,
    #[deku(update = "self.title.len()")]
    title_length: u32,
    #[deku(count = "title_length")]
    pub title: Vec<u8>,
    #[deku(cond = "*version >= 2")]
    pub gravity: Option<f32>,
    #[deku(update = "self.things.len()")]
    thing_count: u32,
    #[deku(count = "thing_count", ctx = "*version")]
    pub things: Vec<Thing>,
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(endian = "endian", ctx = "endian: deku::ctx::Endian, version: u32")]
pub struct Thing {
    x: i16,
    y: i16,
    #[deku(ctx = "version")]
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(id_type = "u8", endian = "endian", ctx = "endian: deku::ctx::Endian, version: u32")]
enum Kind {
    #[deku(id = "0")]
    Start,
    #[deku(id = "16")]
    Door {
        #[deku(assert = "version >= 2")]
        flags: u8,
        #[deku(cond = "*flags & 1 != 0")]
        key: Option<u32>,
    },
}

pub fn load(bytes: &[u8]) -> Result<Level, DekuError> {
    Ok(Level::from_bytes((bytes, 0))?.1)
}

pub fn save(level: &Level) -> Result<Vec<u8>, DekuError> {
    let mut level = level.clone();
    level.update()?;
    level.to_bytes()
}
