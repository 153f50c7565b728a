//! Objects as Rust structs.

use farchive::package::Package;

use crate::common::structs::{Rounds, load_and_save};
use crate::game::{Folder, base_code, builder, mod_code};

/// A struct as `upk headers --rust` writes it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Creature {
    health: Option<i32>,
    title: Option<String>,
    armor: Option<i32>,
}

impl farchive::property::Mirror for Creature {
    const NAMES: &'static [&'static str] = &["Health", "Title", "Armor"];

    const DIMENSIONS: &'static [u32] = &[1, 1, 1];

    fn slots(&mut self) -> Vec<&mut dyn farchive::property::Slot> {
        vec![&mut self.health, &mut self.title, &mut self.armor]
    }
}

#[test]
fn mirrored_properties_change_in_their_place() {
    use farchive::property::Mirrored;
    use farchive::{Archived, Loader, Saver};
    let package = builder(1).name("Health").name("Title").name("Other").build().unwrap();
    let package = Package::from_bytes(package).unwrap();
    let name = |text: &str| package.names().find(text).unwrap() as u8;
    let health = |value: u8| vec![name("health"), 0x22, value, 0, 0, 0];
    let title = |text: &[u8]| {
        let size = text.len() as u8;
        [&[name("title"), 0x5d, size + 1, size][..], text].concat()
    };
    let other = vec![name("other"), 0x22, 1, 0, 0, 0];
    let bytes = [title(b"one\0"), other.clone(), health(7), vec![0]].concat();
    let context = package.context();
    let load = |bytes: &[u8]| {
        let mut source = package.source().to_vec();
        let start = source.len() as u64;
        source.extend(bytes);
        let context = farchive::archive::Context::new(
            source.clone().into(),
            package.names().entries().to_vec(),
        );
        let mut loader = Loader::new(&source, package.versions().clone())
            .with_context(std::sync::Arc::new(context));
        loader.seek(&source, start, source.len() as u64).unwrap();
        let mut mirrored = Mirrored::<Creature>::default();
        mirrored.serialize(&mut loader).unwrap();
        assert_eq!(loader.remaining(), 0);
        (mirrored, source)
    };
    let save = |mirrored: &mut Mirrored<Creature>, source: &[u8]| {
        let names = package.names().entries().to_vec();
        let context = farchive::archive::Context::new(source.to_vec().into(), names);
        let mut saver =
            Saver::new(package.versions().clone()).with_context(std::sync::Arc::new(context));
        mirrored.serialize(&mut saver).map(|()| saver.into_bytes())
    };
    let (mut creature, source) = load(&bytes);
    assert_eq!((creature.fields.health, creature.fields.title.as_deref()), (Some(7), Some("one")));
    let before = creature.clone();
    assert_eq!(save(&mut creature, &source).unwrap(), bytes);
    assert_eq!(creature, before, "saving leaves the value unchanged");
    creature.fields.health = Some(9);
    creature.fields.title = Some("three".to_owned());
    let expected = [title(b"three\0"), other.clone(), health(9), vec![0]].concat();
    assert_eq!(save(&mut creature, &source).unwrap(), expected);
    creature.fields.health = None;
    let expected = [title(b"three\0"), other, vec![0]].concat();
    assert_eq!(save(&mut creature, &source).unwrap(), expected);
    creature.fields.armor = Some(1);
    let error = save(&mut creature, &source).unwrap_err();
    assert!(error.to_string().contains("stores no property Armor"), "{error}");
    drop(context);
}

#[test]
fn made_classes_are_loaded_and_saved_as_structs() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    let special = folder.write("Special.u", mod_code());
    let alone = load_and_save(&special, &[]);
    assert_eq!((alone.objects, alone.same, alone.fields), (1, 1, 0));
    let around = load_and_save(&special, &[folder.path("")]);
    assert_eq!(around, Rounds { objects: 1, same: 1, fields: 3, kept: 0 });
}
