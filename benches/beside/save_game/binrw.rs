//! The save game with `binrw`.

use std::collections::{BTreeMap, HashMap};
use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use binrw::{BinRead, BinResult, BinWrite, Endian, binrw};

use super::adler;

/// A saved game. Version 2 has pets, quests and the weather; version 3 counts play time in milliseconds.
#[binrw]
#[brw(little, magic = b"SAVE", import(version: u32))]
#[derive(Debug, Clone, PartialEq)]
pub struct SaveGame {
    #[br(temp)]
    #[bw(try_calc = u8::try_from(player.len()))]
    player_length: u8,
    #[br(count = player_length, try_map = String::from_utf8)]
    #[bw(map = |text| text.as_bytes().to_vec())]
    pub player: String,
    #[br(parse_with = read_text)]
    #[bw(write_with = write_text)]
    pub title: String,
    #[br(parse_with = read_time, args(version))]
    #[bw(write_with = write_time, args(version))]
    pub play_time: u64,
    #[br(temp, assert(bits < 16, "flags that are not known"))]
    #[bw(calc = u8::from(*hardcore) | difficulty << 1)]
    bits: u8,
    #[br(calc = bits & 1 != 0)]
    #[bw(ignore)]
    pub hardcore: bool,
    #[br(calc = bits >> 1)]
    #[bw(ignore)]
    pub difficulty: u8,
    #[br(parse_with = read_hero, args(version))]
    #[bw(write_with = write_hero, args(version))]
    pub hero: Hero,
    #[br(if(version >= 2, vec![Quest::Main(1)]), parse_with = read_list)]
    #[bw(if(version >= 2), write_with = write_list)]
    pub quests: Vec<Quest>,
    #[br(if(version >= 2), parse_with = read_weather, args(version))]
    #[bw(if(version >= 2), write_with = write_weather, args(version))]
    pub weather: Option<Weather>,
    #[br(parse_with = read_stats)]
    #[bw(write_with = write_stats)]
    pub stats: BTreeMap<String, i32>,
    #[br(parse_with = read_seen)]
    #[bw(write_with = write_seen)]
    pub seen: HashMap<u16, bool>,
    pub width: u16,
    pub height: u16,
    #[br(count = usize::from(width) * usize::from(height))]
    #[bw(assert(map.len() == usize::from(*width) * usize::from(*height)))]
    pub map: Vec<u8>,
    #[br(temp)]
    #[bw(calc = last_event.kind())]
    event_kind: u8,
    #[brw(align_before = 4)]
    #[br(args(event_kind))]
    pub last_event: Event,
    #[br(temp)]
    #[bw(calc = screenshot.len() as u64 + 4)]
    size: u64,
    #[br(temp, assert(u64::from(screenshot_length) + 4 == size))]
    #[bw(calc = screenshot.len() as u32)]
    screenshot_length: u32,
    #[br(count = screenshot_length)]
    pub screenshot: Vec<u8>,
    #[br(parse_with = read_list)]
    #[bw(write_with = write_list)]
    pub chunks: Vec<Chunk>,
    #[br(calc = strongest(&stats))]
    #[bw(ignore)]
    pub strongest: String,
}

/// Heights that stand elsewhere in the file, in any order.
#[binrw]
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    pub place: u32,
    #[br(seek_before = SeekFrom::Start(place.into()), restore_position, parse_with = read_list)]
    #[bw(seek_before = SeekFrom::Start((*place).into()), restore_position, write_with = write_list)]
    pub heights: Vec<i16>,
}

#[binrw]
#[brw(import(version: u32))]
#[derive(Debug, Clone, PartialEq)]
pub struct Hero {
    #[br(parse_with = read_text)]
    #[bw(write_with = write_text)]
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    #[br(parse_with = read_list)]
    #[bw(write_with = write_list)]
    pub inventory: Vec<Item>,
    #[br(if(version >= 2), parse_with = read_pet, args(version))]
    #[bw(if(version >= 2), write_with = write_pet, args(version))]
    pub pet: Option<Box<Hero>>,
}

#[binrw]
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub id: u32,
    #[br(parse_with = read_varint)]
    #[bw(write_with = write_varint)]
    pub amount: u32,
}

#[binrw]
#[derive(Debug, Clone, PartialEq)]
pub enum Quest {
    #[brw(magic = 0u8)]
    Main(u8),
    #[brw(magic = 4u8)]
    Side(
        u16,
        #[br(try_map = flag)]
        #[bw(map = |it| u8::from(*it))]
        bool,
    ),
    Unknown(u8, [u8; 4]),
}

#[binrw]
#[brw(import(version: u32))]
#[derive(Debug, Clone, PartialEq)]
pub enum Weather {
    #[brw(magic = 0u8)]
    Sun,
    #[brw(magic = 1u8)]
    Rain(f32),
    #[br(magic = 2u8, pre_assert(version >= 3))]
    #[bw(magic = 2u8)]
    Storm,
}

#[binrw]
#[br(import(kind: u8))]
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    #[br(pre_assert(kind == 0))]
    Nothing,
    #[br(pre_assert(kind == 1))]
    Killed(Item),
    #[br(pre_assert(kind == 2))]
    Said(
        #[br(parse_with = read_text)]
        #[bw(write_with = write_text)]
        String,
    ),
}

impl Event {
    fn kind(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Killed(_) => 1,
            Self::Said(_) => 2,
        }
    }
}

pub fn load(bytes: &[u8], version: u32) -> BinResult<SaveGame> {
    SaveGame::read_args(&mut Cursor::new(bytes), (version,))
}

pub fn save(game: &SaveGame, version: u32) -> BinResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    game.write_args(&mut bytes, (version,))?;
    Ok(bytes.into_inner())
}

fn invalid<R: Seek>(reader: &mut R, message: &str) -> binrw::Error {
    let pos = reader.stream_position().unwrap_or_default();
    binrw::Error::AssertFail { pos, message: message.to_owned() }
}

fn flag(byte: u8) -> Result<bool, String> {
    if byte > 1 { Err(format!("{byte} is no truth value")) } else { Ok(byte == 1) }
}

fn strongest(stats: &BTreeMap<String, i32>) -> String {
    let strongest = stats.iter().max_by_key(|(_, value)| **value);
    strongest.map(|(name, _)| name.clone()).unwrap_or_default()
}

fn read_list<R: Read + Seek, T>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Vec<T>>
where
    T: for<'a> BinRead<Args<'a> = ()>,
{
    let count = u32::read_options(reader, endian, ())?;
    (0..count).map(|_| T::read_options(reader, endian, ())).collect()
}

fn write_list<W: Write + Seek, T>(
    list: &Vec<T>,
    writer: &mut W,
    endian: Endian,
    (): (),
) -> BinResult<()>
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    (list.len() as u32).write_options(writer, endian, ())?;
    list.iter().try_for_each(|it| it.write_options(writer, endian, ()))
}

#[binrw::parser(reader, endian)]
fn read_text() -> BinResult<String> {
    let bytes = read_list::<_, u8>(reader, endian, ())?;
    String::from_utf8(bytes).map_err(|_| invalid(reader, "a text that is not UTF-8"))
}

#[binrw::writer(writer, endian)]
fn write_text(text: &String) -> BinResult<()> {
    (text.len() as u32).write_options(writer, endian, ())?;
    Ok(writer.write_all(text.as_bytes())?)
}

#[binrw::parser(reader, endian)]
fn read_time(version: u32) -> BinResult<u64> {
    match version {
        ..3 => Ok(u64::from(u32::read_options(reader, endian, ())?) * 1000),
        _ => u64::read_options(reader, endian, ()),
    }
}

#[binrw::writer(writer, endian)]
fn write_time(time: &u64, version: u32) -> BinResult<()> {
    if version >= 3 {
        return time.write_options(writer, endian, ());
    }
    match u32::try_from(time / 1000) {
        Ok(seconds) if time % 1000 == 0 => seconds.write_options(writer, endian, ()),
        _ => Err(invalid(writer, "the time is no number of seconds")),
    }
}

#[binrw::parser(reader, endian)]
fn read_varint() -> BinResult<u32> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = u8::read_options(reader, endian, ())?;
        if shift == 28 && byte > 0x0f || shift > 0 && byte == 0 {
            break;
        }
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(invalid(reader, "a number that is too long"))
}

#[binrw::writer(writer, endian)]
fn write_varint(number: &u32) -> BinResult<()> {
    let mut left = *number;
    while left >= 0x80 {
        (left as u8 | 0x80).write_options(writer, endian, ())?;
        left >>= 7;
    }
    (left as u8).write_options(writer, endian, ())
}

#[binrw::parser(reader, endian)]
fn read_hero(version: u32) -> BinResult<Hero> {
    let start = reader.stream_position()?;
    let hero = Hero::read_options(reader, endian, (version,))?;
    let mut bytes = vec![0; (reader.stream_position()? - start) as usize];
    reader.seek(SeekFrom::Start(start))?;
    reader.read_exact(&mut bytes)?;
    match u32::read_options(reader, endian, ())? == adler(&bytes) {
        true => Ok(hero),
        false => Err(invalid(reader, "the checksum is wrong")),
    }
}

#[binrw::writer(writer, endian)]
fn write_hero(hero: &Hero, version: u32) -> BinResult<()> {
    let mut bytes = Cursor::new(Vec::new());
    hero.write_options(&mut bytes, endian, (version,))?;
    writer.write_all(bytes.get_ref())?;
    adler(bytes.get_ref()).write_options(writer, endian, ())
}

#[binrw::parser(reader, endian)]
fn read_pet(version: u32) -> BinResult<Option<Box<Hero>>> {
    match flag(u8::read_options(reader, endian, ())?) {
        Ok(false) => Ok(None),
        Ok(true) => Ok(Some(Box::new(Hero::read_options(reader, endian, (version,))?))),
        Err(message) => Err(invalid(reader, &message)),
    }
}

#[binrw::writer(writer, endian)]
fn write_pet(pet: &Option<Box<Hero>>, version: u32) -> BinResult<()> {
    u8::from(pet.is_some()).write_options(writer, endian, ())?;
    pet.iter().try_for_each(|pet| pet.write_options(writer, endian, (version,)))
}

#[binrw::parser(reader, endian)]
fn read_weather(version: u32) -> BinResult<Option<Weather>> {
    match flag(u8::read_options(reader, endian, ())?) {
        Ok(false) => Ok(None),
        Ok(true) => Ok(Some(Weather::read_options(reader, endian, (version,))?)),
        Err(message) => Err(invalid(reader, &message)),
    }
}

#[binrw::writer(writer, endian)]
fn write_weather(weather: &Option<Weather>, version: u32) -> BinResult<()> {
    u8::from(weather.is_some()).write_options(writer, endian, ())?;
    weather.iter().try_for_each(|weather| weather.write_options(writer, endian, (version,)))
}

#[binrw::parser(reader, endian)]
fn read_stats() -> BinResult<BTreeMap<String, i32>> {
    let count = u32::read_options(reader, endian, ())?;
    let mut stats = BTreeMap::new();
    for _ in 0..count {
        let name = read_text(reader, endian, ())?;
        let value = i32::read_options(reader, endian, ())?;
        if stats.last_key_value().is_some_and(|(last, _)| *last >= name) {
            return Err(invalid(reader, "keys that do not ascend"));
        }
        stats.insert(name, value);
    }
    Ok(stats)
}

#[binrw::writer(writer, endian)]
fn write_stats(stats: &BTreeMap<String, i32>) -> BinResult<()> {
    (stats.len() as u32).write_options(writer, endian, ())?;
    for (name, value) in stats {
        write_text(name, writer, endian, ())?;
        value.write_options(writer, endian, ())?;
    }
    Ok(())
}

#[binrw::parser(reader, endian)]
fn read_seen() -> BinResult<HashMap<u16, bool>> {
    let list: Vec<(u16, u8)> = read_list(reader, endian, ())?;
    if !list.is_sorted_by(|one, other| one.0 < other.0) {
        return Err(invalid(reader, "keys that do not ascend"));
    }
    let seen = list.into_iter().map(|(place, byte)| Ok((place, flag(byte)?)));
    seen.collect::<Result<_, String>>().map_err(|message| invalid(reader, &message))
}

#[binrw::writer(writer, endian)]
fn write_seen(seen: &HashMap<u16, bool>) -> BinResult<()> {
    let mut list: Vec<(u16, u8)> = seen.iter().map(|(it, flag)| (*it, u8::from(*flag))).collect();
    list.sort_unstable();
    write_list(&list, writer, endian, ())
}
