//! What is printed from layouts: pages, patterns, definitions, headers.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use farchive::archive::print::expression::plain;
use farchive::archive::print::markdown::Pages;
use farchive::archive::print::{header, imhex, kaitai};
use farchive::{Archived, Versions, with};

/// A file of the little game.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Level {
    /// What it is called.
    title: String,
    #[since(2)]
    gravity: f32,
    corner: Point,
    things: Vec<Thing>,
    scores: BTreeMap<String, u32>,
    sign: Option<Point>,
    grid: [[u8; 3]; 2],
    int: u8,
}

/// A place.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Point {
    x: i16,
    y: i16,
    #[archive(when = self.x > 0)]
    far: u8,
}

/// What stands in a level.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum Thing {
    #[default]
    Start,
    Coin {
        value: u16,
    },
    #[since(2)]
    LockedDoor {
        flags: u8,
    } = 16,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u16)]
enum Colour {
    #[default]
    Red = 3,
    Green,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Fixed {
    colour: Colour,
    place: [Small; 2],
    real: f64,
    text: String,
    behind: u8,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Small(u8, u16);

#[test]
fn a_definition_for_kaitai_struct_has_a_type_for_each() {
    let text = kaitai::definition(Level::LAYOUT, &Versions::own(1));
    let head = "meta:\n  id: level\n  endian: le\ndoc: \"A file of the little game.\"\nseq:\n";
    assert!(text.contains(head), "{text}");
    for part in [
        "  - id: title\n    type: text\n    doc: \"What it is called.\"\n",
        "  - id: things\n    type: list_of_thing\n",
        "  - id: scores\n    type: map_of_text_to_u32\n",
        "  - id: sign\n    type: optional_point\n",
        "  - id: grid\n    type: array_of_u8_3\n    repeat: expr\n    repeat-expr: 2\n",
        "  pair_of_text_to_u32:\n    seq:\n    - id: key\n      type: text\n    - id: value\n      type: u4\n",
        "    - id: coin_value\n      type: u2\n      if: \"kind == thing_kind::coin\"\n",
        "    - id: far\n      type: u1\n      if: \"x > 0\"\n",
        "  thing_kind:\n    0: start\n    1: coin\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("gravity") && !text.contains("locked_door"), "{text}");
    let big = Versions::own(2).with_byte_order(farchive::ByteOrder::Big);
    let text = kaitai::definition(Level::LAYOUT, &big);
    assert!(text.contains("endian: be") && text.contains("    16: locked_door\n"), "{text}");
    // Each type that is named is there.
    let types = text.lines().filter_map(|line| line.trim().strip_prefix("type: "));
    for name in types.filter(|name| name.len() > 2 && *name != "str") {
        assert!(text.contains(&format!("\n  {name}:\n")), "{name} in {text}");
    }
}

#[test]
fn a_header_holds_what_has_one_size() {
    let text = header::header(Fixed::LAYOUT, &Versions::own(1));
    for part in [
        "typedef uint16_t Colour;\n#define Colour_Red ((Colour)3)\n#define Colour_Green ((Colour)4)\n",
        "typedef struct Small {\n    uint8_t field_0;\n    uint16_t field_1;\n} Small;\n",
        "typedef struct Fixed {\n    Colour colour;\n    Small place[2];\n    double real;\n    /* then text: String */\n    /* then behind: u8 */\n} Fixed;\n",
        "FARCHIVE_SIZE(Fixed, 16);\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    compiles(&text);
    let text = header::header(Level::LAYOUT, &Versions::own(2));
    assert!(text.contains("#define Thing_Coin ((Thing)1) /* then value: u16 */"), "{text}");
    assert!(text.contains("/* Level:\n    then title: String"), "{text}");
    compiles(&text);
}

/// Where there is a compiler of C, it takes the header and finds the sizes that it says.
fn compiles(header: &str) {
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-pedantic-errors", "-fsyntax-only", "-x", "c", "-"]);
    let Ok(mut run) = compiler.stdin(Stdio::piped()).spawn() else { return };
    let source = format!("{header}\nint main(void) {{ return 0; }}\n");
    run.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    assert!(run.wait().unwrap().success(), "{header}");
}

#[test]
fn a_pattern_of_a_format_of_ones_own_declares_what_it_names() {
    let text = imhex::pattern(Level::LAYOUT, &Versions::own(2));
    for part in [
        "#pragma endian little\n",
        "struct Text {\n",
        "    Text title;\n    float gravity;\n    Point corner;\n    Array<Thing> things;\n    Map<Text, u32> scores;\n    Optional<Point> sign;\n",
        "    if (x > 0) u8 far;\n",
        "enum ThingKind : u8 {\n    Start = 0,\n    Coin = 1,\n    LockedDoor = 16,\n};\n",
        "Level value @ 0x0;\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn pages_link_the_types_that_they_have() {
    let layouts = [Level::LAYOUT, Point::LAYOUT, Thing::LAYOUT];
    let pages = Pages { layouts: &layouts, introduction: "Levels.", ..Pages::default() }.print();
    let [(index, list), (page, text)] = &*pages else { panic!("{pages:?}") };
    assert_eq!((index.as_str(), page.as_str()), ("README", "layouts"));
    assert!(list.starts_with("# Formats\n\nLevels.\n\n## [layouts](layouts.md)\n"), "{list}");
    assert!(list.contains("| [Point](layouts.md#point) | A place. |"), "{list}");
    assert!(text.contains("| 3 |  | [Point](#point) | corner |  |  |  |"), "{text}");
    assert!(text.contains("| 2 |  | f32 | gravity | from 2 |  |  |"), "{text}");
    assert!(text.contains("| 16 | LockedDoor | from 2 |  |"), "{text}");
    let versions = Versions::own(1);
    let one = Pages { layouts: &layouts, versions: Some(&versions), ..Pages::default() }.print();
    assert!(!one[1].1.contains("gravity"));
    assert!(one[1].1.contains("| 2 | 0x2 | i16 | y |"), "{}", one[1].1);
}

#[test]
fn the_guide_shows_programs_that_run() {
    let page = include_str!("../../docs/own-format.md");
    let examples =
        [include_str!("../../examples/own_format.rs"), include_str!("../../examples/streams.rs")];
    let blocks = page.split("```rust,excerpt\n").skip(1).filter_map(|it| it.split("```").next());
    assert!(blocks.clone().count() >= 4);
    for block in blocks {
        assert!(examples.iter().any(|it| it.contains(block)), "no example has:\n{block}");
    }
}

#[test]
fn a_variant_for_other_numbers_is_printed_as_such() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    #[repr(u8)]
    enum Chunk {
        #[default]
        End,
        Name(u16) = 7,
        #[archive(other)]
        Unknown(u8, u32),
    }

    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Chunks {
        first: Chunk,
    }

    let layouts = [Chunks::LAYOUT, Chunk::LAYOUT];
    assert_eq!(Chunk::LAYOUT.size(&Versions::own(1)), None, "they take two bytes, none, four");
    let pages = Pages { layouts: &layouts, ..Pages::default() }.print();
    assert!(pages.iter().any(|(_, text)| text.contains("| other | Unknown |")), "{pages:?}");
    let pattern = imhex::pattern(Chunks::LAYOUT, &Versions::own(1));
    assert!(pattern.contains("(_): {") && !pattern.contains("Unknown"), "{pattern}");
    let definition = kaitai::definition(Chunks::LAYOUT, &Versions::own(1));
    let other = "    - id: unknown_field_1\n      type: u4\n      if: \"kind != chunk_kind::end and kind != chunk_kind::name\"\n";
    assert!(definition.contains(other), "{definition}");
    let text = header::header(Chunks::LAYOUT, &Versions::own(1));
    assert!(text.contains("/* Chunk_Unknown: any other number, then 1: u32 */\n"), "{text}");
    compiles(&text);
}

#[test]
fn what_attributes_say_of_a_field_is_printed() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    #[archive(magic = b"PIC\x01")]
    struct Picture {
        #[archive(with = with::version_u16(1..=2))]
        version: (),
        is_dark: bool,
        #[archive(with = with::as_u8)]
        width: u32,
        #[archive(with = with::padding::<2>)]
        padding: (),
        #[archive(count = width * 2)]
        pixels: Vec<u16>,
    }

    let versions = Versions::own(1);
    let Some(magic) = Picture::LAYOUT.fields().next() else { panic!("it has fields") };
    assert_eq!((magic.name, magic.ty, magic.doc), ("magic", "[u8; 4]", "Always `PIC\\x01`."));
    let text = header::header(Picture::LAYOUT, &versions);
    for part in [
        "    uint8_t magic[4]; /* Always `PIC\\x01`. */\n    uint16_t version;\n    uint8_t is_dark;\n    uint8_t width;\n",
        "    uint8_t padding[2];\n    /* then pixels: Vec<u16>, count = width * 2 */\n",
        "FARCHIVE_SIZE(Picture, 10);\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    compiles(&text);
    let pattern = imhex::pattern(Picture::LAYOUT, &versions);
    let fields = "    u8 magic[4];\n    u16 version;\n    u8 is_dark;\n    u8 width;\n    u8 padding_[2];\n    u16 pixels[width * 2];\n";
    assert!(pattern.contains(fields), "{pattern}");
    let definition = kaitai::definition(Picture::LAYOUT, &versions);
    assert!(definition.contains("repeat-expr: \"width * 2\"\n"), "{definition}");
}

#[test]
fn conditions_on_plain_fields_are_kept() {
    let facts = [("ar.versions().is_dark()", "false".to_owned())];
    let condition = |written| plain(written, &facts);
    assert_eq!(condition("self.flags & 1 != 0").as_deref(), Some("flags & 1 != 0"));
    assert_eq!(condition("!ar.versions().is_dark()").as_deref(), Some("!false"));
    assert_eq!(condition("is_bright(ar)"), None);
    assert_eq!(condition("self.kind == Kind::A"), None);
}
