//! The save game by hand: the same bytes, versions and refusals.

use super::by_hand::{Bytes, put_count, put_text, put_varint};
use farchive::archive::checksum::Checksum;

use super::save_game::format::{Chunk, Event, Flags, Hero, Item, Quest, SaveGame, Weather};
use super::save_game::game::Adler;

fn adler(bytes: &[u8]) -> u32 {
    let mut sum = Adler::default();
    sum.update(bytes);
    sum.value()
}

pub fn load(all: &[u8], version: u32) -> Option<SaveGame> {
    let mut bytes = Bytes::new(all);
    if bytes.take()? != *b"SAVE" {
        return None;
    }
    let length = bytes.u8()?;
    let player = String::from_utf8(bytes.slice(length.into())?.to_vec()).ok()?;
    let title = bytes.text()?;
    let play_time = if version < 3 { u64::from(bytes.u32()?) * 1000 } else { bytes.u64()? };
    let bits = bytes.u8()?;
    if bits > 0x0f {
        return None;
    }
    let flags = Flags { hardcore: bits & 1 != 0, difficulty: bits >> 1 };
    let start = bytes.position();
    let hero = load_hero(&mut bytes, version, 0)?;
    if adler(all.get(start..bytes.position())?) != bytes.u32()? {
        return None;
    }
    let quests = if version < 2 { vec![Quest::Main(1)] } else { bytes.list(load_quest)? };
    let weather = if version < 2 { None } else { load_weather(&mut bytes, version)? };
    let stats = bytes.list(|bytes| Some((bytes.text()?, bytes.u32()?.cast_signed())))?;
    if !stats.is_sorted_by(|one, other| one.0 < other.0) {
        return None;
    }
    let seen = bytes.list(|bytes| Some((bytes.u16()?, bytes.flag()?)))?;
    if !seen.is_sorted_by(|one, other| one.0 < other.0) {
        return None;
    }
    let (width, height) = (bytes.u16()?, bytes.u16()?);
    let map = bytes.slice(usize::from(width) * usize::from(height))?.to_vec();
    let event_kind = bytes.u8()?;
    bytes.align()?;
    let last_event = match event_kind {
        0 => Event::Nothing,
        1 => Event::Killed(load_item(&mut bytes)?),
        2 => Event::Said(bytes.text()?),
        _ => return None,
    };
    let length = bytes.u64()?;
    let mut part = Bytes::new(bytes.slice(usize::try_from(length).ok()?)?);
    let count = part.count()?;
    let screenshot = part.slice(count)?.to_vec();
    part.end()?;
    let mut end = bytes.position();
    let chunks = bytes.list(|bytes| {
        let place = bytes.u32()?;
        let mut elsewhere = Bytes::new(all);
        elsewhere.slice(place as usize)?;
        let heights = elsewhere.list(|it| it.take().map(i16::from_le_bytes))?;
        end = end.max(elsewhere.position());
        Some(Chunk(place, heights))
    })?;
    if end.max(bytes.position()) != all.len() {
        return None;
    }
    let mut game = SaveGame {
        player,
        title,
        play_time,
        flags,
        hero,
        quests,
        weather,
        stats: stats.into_iter().collect(),
        seen: seen.into_iter().collect(),
        width,
        height,
        map,
        event_kind,
        padding: (),
        last_event,
        screenshot,
        chunks,
        strongest: String::new(),
    };
    let strongest = game.stats.iter().max_by_key(|(_, value)| **value);
    game.strongest = strongest.map(|(name, _)| name.clone()).unwrap_or_default();
    Some(game)
}

fn load_hero(bytes: &mut Bytes<'_>, version: u32, depth: u32) -> Option<Hero> {
    if depth > 96 {
        return None;
    }
    let name = bytes.text()?;
    let position = [bytes.f32()?, bytes.f32()?, bytes.f32()?];
    let health = bytes.u16()?;
    let inventory = bytes.list(load_item)?;
    let pet = match version >= 2 && bytes.flag()? {
        true => Some(Box::new(load_hero(bytes, version, depth + 1)?)),
        false => None,
    };
    Some(Hero { name, position, health, inventory, pet })
}

#[inline]
fn load_item(bytes: &mut Bytes<'_>) -> Option<Item> {
    Some(Item { id: bytes.u32()?, amount: bytes.varint()? })
}

fn load_quest(bytes: &mut Bytes<'_>) -> Option<Quest> {
    Some(match bytes.u8()? {
        0 => Quest::Main(bytes.u8()?),
        4 => Quest::Side(bytes.u16()?, bytes.flag()?),
        other => Quest::Unknown(other, bytes.take()?),
    })
}

fn load_weather(bytes: &mut Bytes<'_>, version: u32) -> Option<Option<Weather>> {
    if !bytes.flag()? {
        return Some(None);
    }
    Some(Some(match bytes.u8()? {
        0 => Weather::Sun,
        1 => Weather::Rain(bytes.f32()?),
        2 if version >= 3 => Weather::Storm,
        _ => return None,
    }))
}

pub fn save(game: &SaveGame, version: u32) -> Option<Vec<u8>> {
    let mut out = b"SAVE".to_vec();
    out.push(u8::try_from(game.player.len()).ok()?);
    out.extend_from_slice(game.player.as_bytes());
    put_text(&game.title, &mut out);
    if version < 3 {
        if !game.play_time.is_multiple_of(1000) {
            return None;
        }
        let seconds = u32::try_from(game.play_time / 1000).ok()?;
        out.extend_from_slice(&seconds.to_le_bytes());
    } else {
        out.extend_from_slice(&game.play_time.to_le_bytes());
    }
    if game.flags.difficulty > 7 {
        return None;
    }
    out.push(u8::from(game.flags.hardcore) | game.flags.difficulty << 1);
    let start = out.len();
    save_hero(&game.hero, version, &mut out)?;
    let sum = adler(out.get(start..)?);
    out.extend_from_slice(&sum.to_le_bytes());
    if version >= 2 {
        put_count(game.quests.len(), &mut out);
        for quest in &game.quests {
            save_quest(quest, &mut out);
        }
        save_weather(game.weather.as_ref(), version, &mut out)?;
    } else if game.quests != [Quest::Main(1)] || game.weather.is_some() {
        return None;
    }
    put_count(game.stats.len(), &mut out);
    for (name, value) in &game.stats {
        put_text(name, &mut out);
        out.extend_from_slice(&value.to_le_bytes());
    }
    put_count(game.seen.len(), &mut out);
    let mut seen: Vec<_> = game.seen.iter().collect();
    seen.sort_unstable();
    for (place, is_known) in seen {
        out.extend_from_slice(&place.to_le_bytes());
        out.push(u8::from(*is_known));
    }
    out.extend_from_slice(&game.width.to_le_bytes());
    out.extend_from_slice(&game.height.to_le_bytes());
    if game.map.len() != usize::from(game.width) * usize::from(game.height) {
        return None;
    }
    out.extend_from_slice(&game.map);
    out.push(match game.last_event {
        Event::Nothing => 0,
        Event::Killed(_) => 1,
        Event::Said(_) => 2,
    });
    out.resize(out.len().next_multiple_of(4), 0);
    match &game.last_event {
        Event::Nothing => {}
        Event::Killed(item) => save_item(item, &mut out),
        Event::Said(text) => put_text(text, &mut out),
    }
    out.extend_from_slice(&(game.screenshot.len() as u64 + 4).to_le_bytes());
    put_count(game.screenshot.len(), &mut out);
    out.extend_from_slice(&game.screenshot);
    put_count(game.chunks.len(), &mut out);
    for chunk in &game.chunks {
        out.extend_from_slice(&chunk.0.to_le_bytes());
    }
    for Chunk(place, heights) in &game.chunks {
        let mut bytes = Vec::with_capacity(4 + 2 * heights.len());
        put_count(heights.len(), &mut bytes);
        for height in heights {
            bytes.extend_from_slice(&height.to_le_bytes());
        }
        let (start, end) = (*place as usize, *place as usize + bytes.len());
        if out.len() < end {
            out.resize(end, 0);
        }
        out.get_mut(start..end)?.copy_from_slice(&bytes);
    }
    Some(out)
}

fn save_hero(hero: &Hero, version: u32, out: &mut Vec<u8>) -> Option<()> {
    put_text(&hero.name, out);
    for number in hero.position {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&hero.health.to_le_bytes());
    put_count(hero.inventory.len(), out);
    for item in &hero.inventory {
        save_item(item, out);
    }
    match &hero.pet {
        Some(_) if version < 2 => None,
        None if version < 2 => Some(()),
        None => {
            out.push(0);
            Some(())
        }
        Some(pet) => {
            out.push(1);
            save_hero(pet, version, out)
        }
    }
}

#[inline]
fn save_item(item: &Item, out: &mut Vec<u8>) {
    out.extend_from_slice(&item.id.to_le_bytes());
    put_varint(item.amount, out);
}

fn save_quest(quest: &Quest, out: &mut Vec<u8>) {
    match quest {
        Quest::Main(chapter) => out.extend_from_slice(&[0, *chapter]),
        Quest::Side(number, is_done) => {
            out.push(4);
            out.extend_from_slice(&number.to_le_bytes());
            out.push(u8::from(*is_done));
        }
        Quest::Unknown(tag, bytes) => {
            out.push(*tag);
            out.extend_from_slice(bytes);
        }
    }
}

fn save_weather(weather: Option<&Weather>, version: u32, out: &mut Vec<u8>) -> Option<()> {
    out.push(u8::from(weather.is_some()));
    match weather {
        None => {}
        Some(Weather::Sun) => out.push(0),
        Some(Weather::Rain(strength)) => {
            out.push(1);
            out.extend_from_slice(&strength.to_le_bytes());
        }
        Some(Weather::Storm) if version < 3 => return None,
        Some(Weather::Storm) => out.push(2),
    }
    Some(())
}
