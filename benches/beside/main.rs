//! What is made here beside what other crates make.
//!
//! One small format in three crates: what `docs/own-format.md` shows line by line. The blocks of that page
//! are these files, and all three read and write the same bytes.

mod binrw;
mod blocks;
mod deku;
mod farchive;
mod save_game;
mod stores;

/// A level of version 2 with a start and a locked door.
const NEW: &[u8] = b"LEVL\x02\0\0\0\x06\0\0\0Cellar\0\0\x18\x41\x02\0\0\0\
    \x01\0\x02\0\x00\x03\0\x04\0\x10\x01\x07\0\0\0";
/// A level of version 1, which has no gravity.
const OLD: &[u8] = b"LEVL\x01\0\0\0\x03\0\0\0Old\x01\0\0\0\x05\0\x06\0\x00";

#[test]
fn all_three_read_and_write_the_same_bytes() {
    for (bytes, title, gravity, things) in [(NEW, "Cellar", 9.5, 2), (OLD, "Old", 0.0, 1)] {
        let ours = farchive::load(bytes).unwrap();
        let read = (ours.title.as_str(), ours.gravity, ours.things.len());
        assert_eq!(read, (title, gravity, things));
        assert_eq!(farchive::save(&mut ours.clone(), bytes[4].into()).unwrap(), bytes);

        let theirs = binrw::load(bytes).unwrap();
        let read = (theirs.title.as_str(), theirs.gravity, theirs.things.len());
        assert_eq!(read, (title, gravity, things));
        assert_eq!(binrw::save(&theirs).unwrap(), bytes);

        let theirs = deku::load(bytes).unwrap();
        let there = (bytes[4] >= 2).then_some(gravity);
        let read = (theirs.title.as_slice(), theirs.gravity, theirs.things.len());
        assert_eq!(read, (title.as_bytes(), there, things));
        assert_eq!(deku::save(&theirs).unwrap(), bytes);
    }
}

/// What the page says of a value that the version has no place for.
#[test]
fn gravity_that_version_one_lacks_is_refused_dropped_or_written_all_the_same() {
    let mut level = farchive::load(OLD).unwrap();
    level.gravity = 9.5;
    let error = farchive::save(&mut level, 1).unwrap_err().to_string();
    assert_eq!(
        error,
        "gravity at 0xf (version 1): the value is set, but this version has no such field"
    );
    let mut level = binrw::load(OLD).unwrap();
    level.gravity = 9.5;
    assert_eq!(binrw::save(&level).unwrap(), OLD);
    let mut level = deku::load(OLD).unwrap();
    level.gravity = Some(9.5);
    assert_ne!(deku::save(&level).unwrap(), OLD);
    assert!(deku::load(&deku::save(&level).unwrap()).is_err());
}

#[test]
fn an_error_names_the_field() {
    let error = farchive::load(&NEW[..NEW.len() - 1]).unwrap_err();
    let text = "things[1].kind.key at 0x25 (version 2): needed 4 bytes, 3 remain";
    assert_eq!(error.to_string(), text);
}

#[test]
fn the_page_shows_these_files() {
    let page = include_str!("../../docs/own-format.md");
    let files = [include_str!("farchive.rs"), include_str!("binrw.rs"), include_str!("deku.rs")];
    let blocks: Vec<_> =
        page.split("```rust\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    assert_eq!(blocks.len(), files.len());
    for (block, file) in blocks.iter().zip(files) {
        assert!(file.contains(block), "docs/own-format.md shows what is not in the test:\n{block}");
    }
}
