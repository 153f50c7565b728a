//! Two formats that have, between them, what a format may have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use farchive::archive::Tagged;
use farchive::archive::checksum::{self, Checksum};
use farchive::{Archive, ArchiveExt, Archived, Guid, Map, Result, with};

/// A scene: a tree, messages, and every form of the shelf.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"SCN\0")]
pub struct Scene {
    #[archive(with = with::c_text)]
    pub name: String,
    #[archive(with = with::utf16_u32)]
    pub author: String,
    pub id: Guid,
    pub root: Node,
    #[since(2)]
    #[archive(with = with::sized_u32)]
    pub chunk: Chunk,
    #[archive(with = with::list_u16)]
    pub messages: Vec<Message>,
    pub labels: BTreeMap<String, BTreeSet<u16>>,
    #[until(3)]
    pub old: Map<u8, Option<bool>>,
    #[since(3)]
    pub new: HashMap<i64, (u8, Vec<String>)>,
    #[archive(was(until = 2, from = u32::from, to = narrow))]
    pub count: u32,
    pub look: Look,
    #[archive(with = with::padding::<3>)]
    pub padding: (),
    #[archive(with = with::constant(0xfeff_u16))]
    pub mark: (),
    #[archive(count = ..)]
    pub rest: Vec<i16>,
}

fn narrow(count: &u32) -> Option<u16> {
    u16::try_from(*count).ok()
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Node {
    #[archive(with = with::u24)]
    pub kind: u32,
    #[archive(with = with::zigzag)]
    pub x: i64,
    pub flags: u8,
    #[archive(when = self.flags & 1 != 0, with = with::text_varint)]
    pub name: String,
    #[since(2)]
    #[archive(when = self.flags & 2 != 0, default = 7)]
    pub weight: u16,
    pub children: Vec<Node>,
}

/// What later programs add is kept.
#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(u16)]
pub enum Chunk {
    Empty,
    Grid {
        width: u8,
        height: u8,
        #[archive(count = width * height)]
        cells: Vec<u16>,
    } = 7,
    #[since(3)]
    Link(#[archive(with = with::optional(with::text_u8))] Option<String>),
    #[archive(other)]
    Unknown(u16, #[archive(count = ..)] Vec<u8>),
}

impl Default for Chunk {
    fn default() -> Self {
        Self::Empty
    }
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Message {
    #[archive(computed = self.body.tag())]
    pub kind: i8,
    pub time: u64,
    #[archive(tag = kind)]
    pub body: Body,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(tagged)]
#[repr(i8)]
pub enum Body {
    #[default]
    Nothing = -1,
    Move {
        x: i16,
        y: i16,
    },
    Say(String) = 9,
    #[since(2)]
    Many(Box<[Guid]>),
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(bits = u32)]
pub struct Look {
    #[archive(bits = 1)]
    pub visible: bool,
    #[archive(bits = 12)]
    pub layer: u16,
    #[archive(bits = 19)]
    pub colour: u32,
}

/// An atlas: pages at places of their own, each with its checksum.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Atlas {
    #[archive(computed = self.pages.len())]
    pub count: u8,
    #[archive(with = checked)]
    pub title: String,
    #[archive(count = count)]
    pub pages: Vec<Page>,
}

fn checked<A: Archive + ?Sized>(title: &mut String, ar: &mut A) -> Result<()> {
    checksum::behind::<Sum, A>(ar, |ar| title.serialize(ar))
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Page {
    #[archive(with = elsewhere)]
    pub image: Elsewhere,
    #[since(2)]
    pub caption: Option<String>,
}

/// A list that stands where its offset says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Elsewhere {
    pub offset: u8,
    pub pixels: Vec<u16>,
}

fn elsewhere<A: Archive + ?Sized>(image: &mut Elsewhere, ar: &mut A) -> Result<()> {
    image.offset.serialize(ar)?;
    let offset = u64::from(image.offset);
    ar.at_offset(offset, |ar| image.pixels.serialize(ar))
}

/// The sum of all bytes.
#[derive(Debug, Default)]
pub struct Sum(u32);

impl Checksum for Sum {
    type Value = u32;

    fn update(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add(u32::from(*byte)));
    }

    fn value(&self) -> u32 {
        self.0
    }
}
