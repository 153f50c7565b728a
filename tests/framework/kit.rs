//! The test kit: formats that keep the laws pass, each broken law is found.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::catch_unwind;

use farchive::archive::{CompactIndex, Context, Keyed, Reference, Space, Step, Width};
use farchive::testing::{Laws, laws};
use farchive::{Archive, ArchiveExt, Archived, ErrorKind, Object, Result, Versions};
use proptest::prelude::*;

use crate::every::{Directory, Entry};
use crate::save_game::format::{Event, Quest, SaveGame, Weather};

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Save {
    level: u32,
    #[since(2)]
    coins: u16,
    #[until(5)]
    names: Vec<String>,
    kind: Kind,
    scores: BTreeMap<u8, Option<u16>>,
    parts: Vec<Save>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum Kind {
    #[default]
    None,
    #[since(3)]
    Door {
        flags: u8,
        #[archive(when = *flags & 1 != 0)]
        key: u32,
    },
}

static ROWS: Space = Space { number: 1, label: "row", text: |_: &Context, _, _| String::new() };

/// A row of a table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Row(i32);

impl Archived for Row {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut index = CompactIndex::new(self.0);
        ar.reference(Reference::row(&ROWS, &mut index, Width::Fixed))?;
        self.0 = index.value();
        Ok(())
    }
}

#[test]
fn types_that_the_derive_writes_keep_the_laws() {
    laws::<Save>();
    laws::<Vec<Kind>>();
    laws::<(u8, f32, [i64; 3])>();
    Laws::<Vec<Row>>::new().spaces(&[&ROWS]).run();
}

#[test]
fn values_of_a_strategy_are_tried_and_misfits_refused() {
    let values = (any::<u32>(), any::<u16>(), proptest::collection::vec(".{0,9}", 0..4))
        .prop_map(|(level, coins, names)| Save { level, coins, names, ..Save::default() });
    Laws::<Save>::new().values(values).run();
}

#[test]
fn values_at_places_of_their_own_keep_the_laws() {
    let values =
        (60..90_u32, 120..150_u32, ".{0,6}", any::<u16>()).prop_map(|(one, other, text, mark)| {
            Directory { entries: vec![Entry::new(one, &text), Entry::new(other, "x")], mark }
        });
    Laws::<Directory>::new().gaps().values(values).run();
}

#[test]
fn a_whole_format_keeps_the_laws_with_nothing_by_hand() {
    Laws::<SaveGame>::new().cases(24).gaps().run();
}

#[test]
fn values_of_every_kind_are_made_up() {
    let seen = std::cell::RefCell::new(BTreeMap::<&str, u32>::new());
    for version in 1..=3 {
        let config = ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() };
        let values = farchive::testing::values::<SaveGame>(&Versions::own(version));
        let run = proptest::test_runner::TestRunner::new(config).run(&values, |game| {
            prop_assert_eq!(game.map.len(), usize::from(game.width) * usize::from(game.height));
            prop_assert!(version > 1 || game.weather.is_none(), "no version 1 has it");
            for (what, is_there) in [
                ("a map", !game.map.is_empty()),
                ("letters", game.title.is_ascii() && game.title.len() > 2),
                ("more than letters", !game.title.is_ascii()),
                ("stats", game.stats.len() > 1),
                ("a pet", game.hero.pet.is_some()),
                ("a storm", matches!(game.weather, Some(Weather::Storm))),
                ("an unknown quest", game.quests.iter().any(|it| matches!(it, Quest::Unknown(..)))),
                ("a side quest", game.quests.iter().any(|it| matches!(it, Quest::Side(..)))),
                ("what was said", matches!(&game.last_event, Event::Said(text) if text.len() > 1)),
                ("a large number", game.play_time > 1 << 31),
                ("a screenshot", game.screenshot.len() > 2),
            ] {
                *seen.borrow_mut().entry(what).or_default() += u32::from(is_there);
            }
            Ok(())
        });
        run.unwrap();
    }
    assert!(seen.borrow().values().all(|times| *times > 0), "{seen:?}");
}

/// Bytes say another number than saving works out, and loading passes over it.
#[test]
#[should_panic(
    expected = "(length). Loading must keep what stands there or refuse it; of a field that is `computed`"
)]
fn a_computed_field_that_nothing_looks_at_is_found() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Note {
        #[archive(computed = self.text.len())]
        length: u32,
        text: String,
    }

    Laws::<Note>::new().run();
}

#[test]
fn a_computed_field_that_something_looks_at_keeps_the_laws() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Note {
        #[archive(computed = self.text.len())]
        length: u8,
        #[archive(count = length)]
        text: String,
    }

    Laws::<Note>::new().run();
}

/// A fault in a variant that bytes hardly ever are.
#[test]
fn a_fault_that_no_changed_byte_reaches_is_found() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    #[repr(u64)]
    enum Rare {
        #[default]
        Usual,
        Secret {
            #[archive(with = faulty)]
            number: u32,
        } = 0x0123_4567_89ab_cdef,
    }

    fn faulty<A: Archive + ?Sized>(number: &mut u32, ar: &mut A) -> Result<()> {
        number.serialize(ar)?;
        if ar.is_loading() {
            *number &= 0xff;
        }
        Ok(())
    }

    broken::<Vec<Rare>>("Secret");
}

/// What the laws say of a type that breaks one.
#[track_caller]
fn broken<T: Archived + Object + Debug + Default + PartialEq + Clone>(wanted: &str) {
    let fault = catch_unwind(laws::<T>).expect_err("a broken law is found");
    let text = fault.downcast_ref::<String>().unwrap();
    assert!(text.contains(wanted), "{text}");
}

macro_rules! breaking {
    ($($name:ident: $wanted:literal, |$value:ident, $ar:ident| $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[derive(Debug, Clone, Default, PartialEq)]
            struct Broken(u32);

            impl Archived for Broken {
                fn serialize<A: Archive + ?Sized>(&mut self, $ar: &mut A) -> Result<()> {
                    let $value = &mut self.0;
                    $body
                }
            }

            broken::<Broken>($wanted);
        }
    )* };
}

breaking! {
    a_value_that_saving_changes: "saving changes", |value, ar| {
        value.serialize(ar)?;
        if ar.is_saving() {
            *value += 1;
        }
        Ok(())
    };
    a_value_that_is_not_overwritten: "what stood there before", |value, ar| {
        let mut stored = *value;
        stored.serialize(ar)?;
        *value |= stored;
        Ok(())
    };
    a_form_that_is_lost: "saves as", |value, ar| {
        value.serialize(ar)?;
        if ar.is_loading() {
            *value &= 0xffff;
        }
        Ok(())
    };
    bytes_that_are_read_and_not_written: "saves as", |value, ar| {
        if ar.is_loading() {
            0_u8.serialize(ar)?;
        }
        value.serialize(ar)
    };
    a_size_that_is_counted_otherwise: "are counted", |value, ar| {
        if ar.is_saving() && ar.with_bytes(0, 0, &mut |_| ())? || ar.is_loading() {
            0_u16.serialize(ar)?;
        }
        value.serialize(ar)
    };
    a_visit_that_fails: "collecting", |value, ar| {
        value.serialize(ar)?;
        match ar.is_loading() || ar.is_saving() {
            true => Ok(()),
            false => Err(ErrorKind::NotInVersion.into()),
        }
    };
    an_end_that_is_not_noticed: "are enough", |value, ar| {
        if ar.is_loading() && ar.peek(4).len() < 4 {
            *value = 0;
            return Ok(());
        }
        value.serialize(ar)
    };
    a_document_for_people_that_loses_something: "gives", |value, ar| {
        let Some(text) = ar.readable_text(value) else { return value.serialize(ar) };
        if ar.is_loading() {
            *value = text.parse::<u32>().unwrap_or_default() & 0xff;
        }
        ar.step(Step::Keyed(Keyed::Follows(4)));
        Ok(())
    };
    bytes_that_a_stream_has_passed_on: "stream", |value, ar| {
        value.serialize(ar)?;
        if ar.is_saving() {
            return vec![0_u8; 70_000].serialize(ar);
        }
        let mut rest = Vec::<u8>::new();
        rest.serialize(ar)?;
        let at = ar.position();
        ar.with_bytes(0, at.min(4), &mut |_| ()).map(drop)
    };
}

#[test]
fn a_type_that_no_bytes_are_is_said_to_need_values() {
    #[derive(Debug, Clone, Default, PartialEq)]
    struct Never;
    impl Archived for Never {
        fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
            Err(ar.error(ErrorKind::NotInVersion))
        }
    }
    broken::<Never>("Laws::values");
}

#[test]
fn versions_are_those_around_each_bound_of_what_is_inside() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Outer {
        #[since(20)]
        saves: Vec<Save>,
    }
    let versions = farchive::testing::versions_around(Outer::LAYOUT);
    let files: Vec<u32> = versions.iter().step_by(2).map(|it| it.number()).collect();
    assert_eq!(files, [1, 2, 3, 4, 5, 6, 19, 20, 21]);
    assert!(
        versions.iter().all(|it| *it == Versions::own(it.number()).with_byte_order(it.byte_order))
    );
}
