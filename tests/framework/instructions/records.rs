//! A list of records, by the framework and by hand.

use farchive::Archived;

use super::by_hand::{Bytes, put_count, put_text};

/// One of the records of a save game.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Record {
    id: u32,
    name: String,
    place: [f32; 3],
    kind: Kind,
    #[since(2)]
    flags: u16,
    values: Vec<u16>,
    items: Vec<Item>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum Kind {
    #[default]
    Nothing,
    Door(u32),
    Place {
        x: u16,
        y: u16,
    },
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Item {
    kind: u16,
    count: u32,
}

pub fn records(rows: u32) -> Vec<Record> {
    let items = |row: u32| (0..row % 7).map(|at| Item { kind: at as u16, count: row }).collect();
    let kind = |row: u32| match row % 3 {
        0 => Kind::Nothing,
        1 => Kind::Door(row),
        _ => Kind::Place { x: row as u16, y: 2 },
    };
    let record = |id: u32| Record {
        id,
        name: format!("record number {id}"),
        place: [1.0; 3],
        kind: kind(id),
        flags: 5,
        values: (0..id as u16 % 9).collect(),
        items: items(id),
    };
    (0..rows).map(record).collect()
}

pub fn load(bytes: &[u8], version: u32) -> Option<Vec<Record>> {
    let mut bytes = Bytes::new(bytes);
    let records = bytes.list(|bytes| {
        Some(Record {
            id: bytes.u32()?,
            name: bytes.text()?,
            place: [bytes.f32()?, bytes.f32()?, bytes.f32()?],
            kind: match bytes.u8()? {
                0 => Kind::Nothing,
                1 => Kind::Door(bytes.u32()?),
                2 => Kind::Place { x: bytes.u16()?, y: bytes.u16()? },
                _ => return None,
            },
            flags: if version >= 2 { bytes.u16()? } else { 0 },
            values: bytes.list(Bytes::u16)?,
            items: bytes.list(|it| Some(Item { kind: it.u16()?, count: it.u32()? }))?,
        })
    })?;
    bytes.end()?;
    Some(records)
}

pub fn save(records: &[Record], version: u32) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    put_count(records.len(), &mut out);
    for record in records {
        out.extend_from_slice(&record.id.to_le_bytes());
        put_text(&record.name, &mut out);
        for number in record.place {
            out.extend_from_slice(&number.to_le_bytes());
        }
        match record.kind {
            Kind::Nothing => out.push(0),
            Kind::Door(key) => {
                out.push(1);
                out.extend_from_slice(&key.to_le_bytes());
            }
            Kind::Place { x, y } => {
                out.push(2);
                out.extend_from_slice(&x.to_le_bytes());
                out.extend_from_slice(&y.to_le_bytes());
            }
        }
        if version >= 2 {
            out.extend_from_slice(&record.flags.to_le_bytes());
        } else if record.flags != 0 {
            return None;
        }
        put_count(record.values.len(), &mut out);
        for value in &record.values {
            out.extend_from_slice(&value.to_le_bytes());
        }
        put_count(record.items.len(), &mut out);
        for item in &record.items {
            out.extend_from_slice(&item.kind.to_le_bytes());
            out.extend_from_slice(&item.count.to_le_bytes());
        }
    }
    Some(out)
}
