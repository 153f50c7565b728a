//! The save game with `deku`.

use std::collections::{BTreeMap, HashMap};
use std::io::{Cursor, Read, Seek, Write};

use deku::ctx::Endian;
use deku::no_std_io::SeekFrom;
use deku::prelude::*;
use deku::writer::Writer;

use super::adler;

const LE: Endian = Endian::Little;

/// A saved game. Version 2 has pets, quests and the weather; version 3 counts play time in milliseconds.
#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(magic = b"SAVE", endian = "little", ctx = "version: u32", ctx_default = "3")]
pub struct SaveGame {
    #[deku(update = "self.player.len()")]
    player_length: u8,
    #[deku(count = "player_length")]
    pub player: Vec<u8>,
    #[deku(reader = "read_text(deku::reader)", writer = "write_text(deku::writer, title)")]
    pub title: String,
    #[deku(
        reader = "read_time(deku::reader, version)",
        writer = "write_time(deku::writer, *play_time, version)"
    )]
    pub play_time: u64,
    #[deku(assert = "*bits < 16")]
    pub bits: u8,
    #[deku(
        reader = "read_hero(deku::reader, version)",
        writer = "write_hero(deku::writer, hero, version)"
    )]
    pub hero: Hero,
    #[deku(
        cond = "version >= 2",
        default = "vec![Quest::Main(1)]",
        reader = "read_list(deku::reader)",
        writer = "write_quests(deku::writer, quests, version)"
    )]
    pub quests: Vec<Quest>,
    #[deku(
        cond = "version >= 2",
        default = "None",
        reader = "read_optional(deku::reader, version)",
        writer = "write_optional(deku::writer, weather.as_ref(), version)"
    )]
    pub weather: Option<Weather>,
    #[deku(reader = "read_stats(deku::reader)", writer = "write_stats(deku::writer, stats)")]
    pub stats: BTreeMap<String, i32>,
    #[deku(reader = "read_seen(deku::reader)", writer = "write_seen(deku::writer, seen)")]
    pub seen: HashMap<u16, bool>,
    pub width: u16,
    pub height: u16,
    #[deku(count = "usize::from(*width) * usize::from(*height)")]
    pub map: Vec<u8>,
    #[deku(update = "self.last_event.deku_id().unwrap_or_default()")]
    event_kind: u8,
    #[deku(reader = "read_zeros(deku::reader)", writer = "write_zeros(deku::writer)")]
    padding: (),
    #[deku(ctx = "*event_kind")]
    pub last_event: Event,
    #[deku(update = "self.screenshot.len() + 4")]
    size: u64,
    #[deku(
        update = "self.screenshot.len()",
        assert = "u64::from(*screenshot_length) + 4 == *size"
    )]
    screenshot_length: u32,
    #[deku(count = "screenshot_length")]
    pub screenshot: Vec<u8>,
    #[deku(reader = "read_list(deku::reader)", writer = "write_list(deku::writer, chunks)")]
    pub chunks: Vec<Chunk>,
    #[deku(skip, default = "strongest(stats)")]
    pub strongest: String,
}

/// Heights that stand elsewhere in the file, in any order.
#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(endian = "endian", ctx = "endian: Endian")]
pub struct Chunk {
    pub place: u32,
    #[deku(
        reader = "read_at(deku::reader, *place)",
        writer = "write_at(deku::writer, *place, heights)"
    )]
    pub heights: Vec<i16>,
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(endian = "endian", ctx = "endian: Endian, version: u32")]
pub struct Hero {
    #[deku(reader = "read_text(deku::reader)", writer = "write_text(deku::writer, name)")]
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    #[deku(reader = "read_list(deku::reader)", writer = "write_list(deku::writer, inventory)")]
    pub inventory: Vec<Item>,
    #[deku(
        cond = "version >= 2",
        default = "None",
        reader = "read_pet(deku::reader, version)",
        writer = "write_optional(deku::writer, pet.as_deref(), version)"
    )]
    pub pet: Option<Box<Hero>>,
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(endian = "endian", ctx = "endian: Endian")]
pub struct Item {
    pub id: u32,
    #[deku(reader = "read_varint(deku::reader)", writer = "write_varint(deku::writer, *amount)")]
    pub amount: u32,
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(id_type = "u8", endian = "endian", ctx = "endian: Endian")]
pub enum Quest {
    #[deku(id = "0")]
    Main(u8),
    #[deku(id = "4")]
    Side(
        u16,
        #[deku(reader = "read_flag(deku::reader)", writer = "write_flag(deku::writer, *field_1)")]
        bool,
    ),
    #[deku(id_pat = "_")]
    Unknown(u8, [u8; 4]),
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(id_type = "u8", endian = "endian", ctx = "endian: Endian, version: u32")]
pub enum Weather {
    #[deku(id = "0")]
    Sun,
    #[deku(id = "1")]
    Rain(f32),
    #[deku(id = "2")]
    Storm(#[deku(skip, assert = "version >= 3")] ()),
}

#[derive(Debug, Clone, PartialEq, DekuRead, DekuWrite)]
#[deku(id = "kind", endian = "endian", ctx = "endian: Endian, kind: u8")]
pub enum Event {
    #[deku(id = "0")]
    Nothing,
    #[deku(id = "1")]
    Killed(Item),
    #[deku(id = "2")]
    Said(
        #[deku(reader = "read_text(deku::reader)", writer = "write_text(deku::writer, field_0)")]
        String,
    ),
}

pub fn load(bytes: &[u8], version: u32) -> Result<SaveGame, DekuError> {
    let mut cursor = Cursor::new(bytes);
    SaveGame::from_reader_with_ctx(&mut Reader::new(&mut cursor), version)
}

pub fn save(game: &SaveGame, version: u32) -> Result<Vec<u8>, DekuError> {
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = Writer::new(&mut bytes);
    game.to_writer(&mut writer, version)?;
    writer.finalize()?;
    Ok(bytes.into_inner())
}

fn invalid(message: &'static str) -> DekuError {
    DekuError::Assertion(message.into())
}

fn strongest(stats: &BTreeMap<String, i32>) -> String {
    let strongest = stats.iter().max_by_key(|(_, value)| **value);
    strongest.map(|(name, _)| name.clone()).unwrap_or_default()
}

fn read_list<R: Read + Seek, T>(reader: &mut Reader<R>) -> Result<Vec<T>, DekuError>
where
    T: for<'a> DekuReader<'a, Endian>,
{
    let count = u32::from_reader_with_ctx(reader, LE)?;
    (0..count).map(|_| T::from_reader_with_ctx(reader, LE)).collect()
}

fn write_list<W: Write + Seek, T: DekuWriter<Endian>>(
    writer: &mut Writer<W>,
    list: &[T],
) -> Result<(), DekuError> {
    (list.len() as u32).to_writer(writer, LE)?;
    list.iter().try_for_each(|it| it.to_writer(writer, LE))
}

fn read_text<R: Read + Seek>(reader: &mut Reader<R>) -> Result<String, DekuError> {
    String::from_utf8(read_list(reader)?).map_err(|_| invalid("a text that is not UTF-8"))
}

fn write_text<W: Write + Seek>(writer: &mut Writer<W>, text: &str) -> Result<(), DekuError> {
    (text.len() as u32).to_writer(writer, LE)?;
    writer.write_bytes(text.as_bytes())
}

fn read_time<R: Read + Seek>(reader: &mut Reader<R>, version: u32) -> Result<u64, DekuError> {
    match version {
        ..3 => Ok(u64::from(u32::from_reader_with_ctx(reader, LE)?) * 1000),
        _ => u64::from_reader_with_ctx(reader, LE),
    }
}

fn write_time<W: Write + Seek>(
    writer: &mut Writer<W>,
    time: u64,
    version: u32,
) -> Result<(), DekuError> {
    if version >= 3 {
        return time.to_writer(writer, LE);
    }
    match u32::try_from(time / 1000) {
        Ok(seconds) if time % 1000 == 0 => seconds.to_writer(writer, LE),
        _ => Err(invalid("the time is no number of seconds")),
    }
}

fn read_flag<R: Read + Seek>(reader: &mut Reader<R>) -> Result<bool, DekuError> {
    match u8::from_reader_with_ctx(reader, LE)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(invalid("no truth value")),
    }
}

fn write_flag<W: Write + Seek>(writer: &mut Writer<W>, flag: bool) -> Result<(), DekuError> {
    u8::from(flag).to_writer(writer, LE)
}

fn read_varint<R: Read + Seek>(reader: &mut Reader<R>) -> Result<u32, DekuError> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = u8::from_reader_with_ctx(reader, LE)?;
        if shift == 28 && byte > 0x0f || shift > 0 && byte == 0 {
            break;
        }
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(invalid("a number that is too long"))
}

fn write_varint<W: Write + Seek>(writer: &mut Writer<W>, mut left: u32) -> Result<(), DekuError> {
    while left >= 0x80 {
        (left as u8 | 0x80).to_writer(writer, LE)?;
        left >>= 7;
    }
    (left as u8).to_writer(writer, LE)
}

fn read_hero<R: Read + Seek>(reader: &mut Reader<R>, version: u32) -> Result<Hero, DekuError> {
    let start = position(reader)?;
    let hero = Hero::from_reader_with_ctx(reader, (LE, version))?;
    let length = position(reader)? - start;
    seek(reader, start)?;
    let mut bytes = Vec::new();
    for _ in 0..length {
        bytes.push(u8::from_reader_with_ctx(reader, LE)?);
    }
    match u32::from_reader_with_ctx(reader, LE)? == adler(&bytes) {
        true => Ok(hero),
        false => Err(invalid("the checksum is wrong")),
    }
}

fn write_hero<W: Write + Seek>(
    writer: &mut Writer<W>,
    hero: &Hero,
    version: u32,
) -> Result<(), DekuError> {
    let mut bytes = Cursor::new(Vec::new());
    hero.to_writer(&mut Writer::new(&mut bytes), (LE, version))?;
    writer.write_bytes(bytes.get_ref())?;
    adler(bytes.get_ref()).to_writer(writer, LE)
}

fn read_optional<R: Read + Seek, T>(
    reader: &mut Reader<R>,
    version: u32,
) -> Result<Option<T>, DekuError>
where
    T: for<'a> DekuReader<'a, (Endian, u32)>,
{
    match read_flag(reader)? {
        false => Ok(None),
        true => T::from_reader_with_ctx(reader, (LE, version)).map(Some),
    }
}

fn read_pet<R: Read + Seek>(
    reader: &mut Reader<R>,
    version: u32,
) -> Result<Option<Box<Hero>>, DekuError> {
    read_optional(reader, version).map(|pet| pet.map(Box::new))
}

fn write_optional<W: Write + Seek, T: DekuWriter<(Endian, u32)>>(
    writer: &mut Writer<W>,
    value: Option<&T>,
    version: u32,
) -> Result<(), DekuError> {
    // A condition is asked when reading alone.
    if version < 2 {
        return Ok(());
    }
    write_flag(writer, value.is_some())?;
    value.map_or(Ok(()), |value| value.to_writer(writer, (LE, version)))
}

fn write_quests<W: Write + Seek>(
    writer: &mut Writer<W>,
    quests: &[Quest],
    version: u32,
) -> Result<(), DekuError> {
    if version < 2 { Ok(()) } else { write_list(writer, quests) }
}

fn read_stats<R: Read + Seek>(reader: &mut Reader<R>) -> Result<BTreeMap<String, i32>, DekuError> {
    let count = u32::from_reader_with_ctx(reader, LE)?;
    let mut stats = BTreeMap::new();
    for _ in 0..count {
        let name = read_text(reader)?;
        let value = i32::from_reader_with_ctx(reader, LE)?;
        if stats.last_key_value().is_some_and(|(last, _)| *last >= name) {
            return Err(invalid("keys that do not ascend"));
        }
        stats.insert(name, value);
    }
    Ok(stats)
}

fn write_stats<W: Write + Seek>(
    writer: &mut Writer<W>,
    stats: &BTreeMap<String, i32>,
) -> Result<(), DekuError> {
    (stats.len() as u32).to_writer(writer, LE)?;
    for (name, value) in stats {
        write_text(writer, name)?;
        value.to_writer(writer, LE)?;
    }
    Ok(())
}

fn read_seen<R: Read + Seek>(reader: &mut Reader<R>) -> Result<HashMap<u16, bool>, DekuError> {
    let count = u32::from_reader_with_ctx(reader, LE)?;
    let (mut seen, mut last) = (HashMap::new(), None);
    for _ in 0..count {
        let place = u16::from_reader_with_ctx(reader, LE)?;
        if last.is_some_and(|last| last >= place) {
            return Err(invalid("keys that do not ascend"));
        }
        last = Some(place);
        seen.insert(place, read_flag(reader)?);
    }
    Ok(seen)
}

fn write_seen<W: Write + Seek>(
    writer: &mut Writer<W>,
    seen: &HashMap<u16, bool>,
) -> Result<(), DekuError> {
    let mut list: Vec<_> = seen.iter().collect();
    list.sort_unstable();
    (list.len() as u32).to_writer(writer, LE)?;
    for (place, flag) in list {
        place.to_writer(writer, LE)?;
        write_flag(writer, *flag)?;
    }
    Ok(())
}

fn read_zeros<R: Read + Seek>(reader: &mut Reader<R>) -> Result<(), DekuError> {
    for _ in 0..position(reader)?.wrapping_neg() % 4 {
        if u8::from_reader_with_ctx(reader, LE)? != 0 {
            return Err(invalid("padding that is not zero"));
        }
    }
    Ok(())
}

fn write_zeros<W: Write + Seek>(writer: &mut Writer<W>) -> Result<(), DekuError> {
    let position = writer.stream_position().map_err(io)?;
    writer.write_bytes(&[0; 3][..(position.wrapping_neg() % 4) as usize])
}

fn read_at<R: Read + Seek>(reader: &mut Reader<R>, place: u32) -> Result<Vec<i16>, DekuError> {
    let back = position(reader)?;
    seek(reader, place.into())?;
    let list = read_list(reader)?;
    seek(reader, back)?;
    Ok(list)
}

fn write_at<W: Write + Seek>(
    writer: &mut Writer<W>,
    place: u32,
    list: &[i16],
) -> Result<(), DekuError> {
    let back = writer.stream_position().map_err(io)?;
    writer.seek(SeekFrom::Start(place.into())).map_err(io)?;
    write_list(writer, list)?;
    writer.seek(SeekFrom::Start(back)).map_err(io)?;
    Ok(())
}

fn position<R: Read + Seek>(reader: &mut Reader<R>) -> Result<u64, DekuError> {
    reader.stream_position().map_err(io)
}

fn seek<R: Read + Seek>(reader: &mut Reader<R>, place: u64) -> Result<(), DekuError> {
    reader.seek(SeekFrom::Start(place)).map(drop).map_err(io)
}

fn io(error: std::io::Error) -> DekuError {
    DekuError::Io(error.kind())
}
