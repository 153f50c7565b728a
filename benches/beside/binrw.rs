//! With `binrw`.

use std::io::Cursor;

use binrw::{BinRead, BinResult, BinWrite, binrw};

#[binrw]
#[brw(little, magic = b"LEVL")]
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    pub version: u32,
    #[br(temp)]
    #[bw(calc = title.len() as u32)]
    title_length: u32,
    #[br(count = title_length, try_map = String::from_utf8)]
    #[bw(map = |title| title.as_bytes().to_vec())]
    pub title: String,
    #[br(if(version >= 2))]
    #[bw(if(*version >= 2))]
    pub gravity: f32,
    #[br(temp)]
    #[bw(calc = things.len() as u32)]
    thing_count: u32,
    #[br(count = thing_count, args { inner: (version,) })]
    #[bw(args(*version,))]
    pub things: Vec<Thing>,
}

#[binrw]
#[brw(little, import(version: u32))]
#[derive(Debug, Clone, PartialEq)]
pub struct Thing {
    x: i16,
    y: i16,
    #[brw(args(version))]
    kind: Kind,
}

#[binrw]
#[brw(little, import(version: u32))]
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    #[brw(magic = 0u8)]
    Start,
    #[br(magic = 16u8, pre_assert(version >= 2))]
    #[bw(magic = 16u8, assert(version >= 2))]
    Door {
        flags: u8,
        #[brw(if(flags & 1 != 0))]
        key: u32,
    },
}

pub fn load(bytes: &[u8]) -> BinResult<Level> {
    Level::read(&mut Cursor::new(bytes))
}

pub fn save(level: &Level) -> BinResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    level.write(&mut bytes)?;
    Ok(bytes.into_inner())
}
