//! Objects as Rust structs.

use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::PackageContext;

use crate::common::structs::{Rounds, load_and_save};
use crate::game::{Folder, base_code, builder, mod_code};

/// A struct as `upk headers --rust` writes it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Creature {
    health: Option<i32>,
    title: Option<String>,
    armor: Option<i32>,
}

impl unreal_packages::property::Mirror for Creature {
    const NAMES: &'static [&'static str] = &["Health", "Title", "Armor"];

    const DIMENSIONS: &'static [u32] = &[1, 1, 1];

    fn slots(&mut self) -> Vec<&mut dyn unreal_packages::property::FieldSlot> {
        vec![&mut self.health, &mut self.title, &mut self.armor]
    }
}

#[test]
fn mirrored_properties_change_in_their_place() {
    use unreal_packages::property::Mirrored;
    use unreal_packages::{Archived, Loader, Saver};
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
        let context = unreal_packages::archive::Context::new(
            source.clone().into(),
            package.names().entries().iter().cloned().collect(),
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
        let names = package.names().entries().iter().cloned().collect();
        let context = unreal_packages::archive::Context::new(source.to_vec().into(), names);
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

/// A struct as `upk headers --rust` writes it for a class of UE4 or UE5.
#[derive(Debug, Clone, Default, PartialEq)]
struct Lamp {
    count: Option<i64>,
    place: Option<Place>,
    names: Option<Vec<unreal_packages::Name>>,
    mode: Option<unreal_packages::property::EnumValue>,
    label: Option<String>,
}

impl unreal_packages::property::Mirror for Lamp {
    const NAMES: &'static [&'static str] = &["Count", "Place", "Names", "Mode", "Label"];

    const DIMENSIONS: &'static [u32] = &[1, 1, 1, 1, 1];

    fn slots(&mut self) -> Vec<&mut dyn unreal_packages::property::FieldSlot> {
        vec![&mut self.count, &mut self.place, &mut self.names, &mut self.mode, &mut self.label]
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Place {
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
}

impl unreal_packages::property::Mirror for Place {
    const NAMES: &'static [&'static str] = &["X", "Y", "Z"];

    const DIMENSIONS: &'static [u32] = &[1, 1, 1];

    fn slots(&mut self) -> Vec<&mut dyn unreal_packages::property::FieldSlot> {
        vec![&mut self.x, &mut self.y, &mut self.z]
    }
}

#[derive(unreal_packages::Archived, Debug, Clone, Default)]
struct LampObject {
    body: unreal_packages::object::TypedBody<Lamp>,
}

impl unreal_packages::object::TypedObject for LampObject {
    type Properties = Lamp;

    fn new(body: unreal_packages::object::TypedBody<Lamp>) -> Self {
        Self { body }
    }

    fn body(&self) -> &unreal_packages::object::TypedBody<Lamp> {
        &self.body
    }
}

#[test]
fn objects_of_later_engines_are_structs_as_well() {
    use unreal_packages::EngineRelease;
    use unreal_packages::generate::Builder;
    for (major, minor) in [(4, 20), (4, 27), (5, 0), (5, 3), (5, 4), (5, 6)] {
        let release = EngineRelease::new(major, minor);
        // The control of later versions, "none", no GUID.
        let control = vec![0; usize::from(release.ue5() >= 1011)];
        let body = [control, vec![0; 12]].concat();
        let builder = Builder::for_release(release).name("None");
        let builder = builder.export("Lamp", "/Script/Engine.PointLight", body);
        let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
        for (name, known, text) in [
            ("Count", "int64", "5"),
            ("Place", "struct:Vector", "(1,2,3)"),
            ("Names", "array:name", "(Red,Blue)"),
            ("Mode", "enum:EMode", "EMode::Fast"),
            ("Label", "string", "Hall"),
            ("Title", "text", "NSLOCTEXT(\"a\",\"b\",\"Hall\")"),
        ] {
            let known = known.parse().unwrap();
            package.edit(|edit| edit.add_property("Lamp", name, &known, text)).unwrap();
        }
        let mut lamp: LampObject = package.values().typed_object("Lamp").unwrap();
        assert_eq!(lamp.body.properties.counts(), (5, 1), "{release}");
        let fields = &mut lamp.body.properties.fields;
        assert_eq!((fields.count, fields.label.as_deref()), (Some(5), Some("Hall")));
        fields.count = Some(6);
        fields.place.as_mut().unwrap().y = Some(7.5);
        let first = fields.names.as_ref().unwrap()[0];
        fields.names.as_mut().unwrap().push(first);
        fields.label = None;
        package.edit(|edit| edit.set_typed_object("Lamp", &lamp)).unwrap();
        let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        let texts: Vec<_> = again.values().properties("Lamp").unwrap();
        let texts: Vec<_> = texts.iter().map(|value| (&*value.path, &*value.text)).collect();
        let expected = [
            ("Count", "6"),
            ("Place", "(X=1.0,Y=7.5,Z=3.0)"),
            ("Names", "(Red,Blue,Red)"),
            ("Mode", "EMode::Fast"),
            ("Title", "NSLOCTEXT(\"a\",\"b\",\"Hall\")"),
        ];
        assert_eq!(texts, expected, "{release}");
    }
}

/// A struct as `upk headers --rust` writes it, of a class whose objects are stored without tags.
#[derive(Debug, Clone, Default, PartialEq)]
struct Machine {
    count: Option<i64>,
    open: Option<bool>,
    label: Option<String>,
    inner: Option<Pair>,
    names: Option<Vec<unreal_packages::Name>>,
    absent: Option<i32>,
}

impl unreal_packages::property::Mirror for Machine {
    const NAMES: &'static [&'static str] = &["Count", "Open", "Label", "Inner", "Names", "Absent"];

    const DIMENSIONS: &'static [u32] = &[1, 1, 1, 1, 1, 1];

    fn slots(&mut self) -> Vec<&mut dyn unreal_packages::property::FieldSlot> {
        let Self { count, open, label, inner, names, absent } = self;
        vec![count, open, label, inner, names, absent]
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Pair {
    a: Option<i32>,
    b: Option<i32>,
}

impl unreal_packages::property::Mirror for Pair {
    const NAMES: &'static [&'static str] = &["A", "B"];

    const DIMENSIONS: &'static [u32] = &[1, 1];

    fn slots(&mut self) -> Vec<&mut dyn unreal_packages::property::FieldSlot> {
        vec![&mut self.a, &mut self.b]
    }
}

#[derive(unreal_packages::Archived, Debug, Clone, Default)]
struct MachineObject {
    body: unreal_packages::object::TypedBody<Machine>,
}

impl unreal_packages::object::TypedObject for MachineObject {
    type Properties = Machine;

    fn new(body: unreal_packages::object::TypedBody<Machine>) -> Self {
        Self { body }
    }

    fn body(&self) -> &unreal_packages::object::TypedBody<Machine> {
        &self.body
    }
}

/// Machine { Count: Int64, Open: Bool, Label: Str, Inner: Pair { A: Int, B: Int }, Names: Array of Name }.
fn mappings() -> unreal_packages::property::Mappings {
    use unreal_packages::property::mappings::{
        MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
    };
    const NAMES: [&str; 9] =
        ["Machine", "Pair", "Count", "Open", "Label", "Inner", "Names", "A", "B"];
    let property = |(at, (name, schema)): (usize, (u32, SchemaType))| MappingProperty {
        schema_index: at as u16,
        array_dim: 1,
        name,
        schema,
    };
    let structure = |name, fields: Vec<(u32, SchemaType)>| MappingStruct {
        name,
        super_struct: u32::MAX,
        property_count: fields.len() as u16,
        properties: fields.into_iter().enumerate().map(property).collect(),
    };
    let names = SchemaType::Array(Box::new(SchemaType::Name));
    let machine = vec![
        (2, SchemaType::Int64),
        (3, SchemaType::Bool),
        (4, SchemaType::Str),
        (5, SchemaType::Struct(1)),
        (6, names),
    ];
    let pair = vec![(7, SchemaType::Int), (8, SchemaType::Int)];
    unreal_packages::property::Mappings::new(MappingData {
        names: NAMES.map(|name| MappingName(name.into())).to_vec(),
        structs: vec![structure(0, machine), structure(1, pair)],
        ..MappingData::default()
    })
}

#[test]
fn objects_without_tags_are_structs_as_well() {
    use unreal_packages::generate::Builder;
    use unreal_packages::package::OpenOptions;
    use unreal_packages::primitive::PackageFlags;
    use unreal_packages::{Archived, EngineRelease, Name, Saver};
    let flags = PackageFlags::FILTER_EDITOR_ONLY
        .with(PackageFlags::UE4_COOKED)
        .with(PackageFlags::UNVERSIONED_PROPERTIES);
    let mappings = std::sync::Arc::new(mappings());
    let open =
        |bytes: Vec<u8>| OpenOptions::new().mappings(mappings.clone()).open_bytes(bytes).unwrap();
    for (major, minor) in [(4, 27), (5, 0), (5, 4)] {
        let release = EngineRelease::new(major, minor);
        // Five properties, of which Open, Inner and Names are zero; no GUID.
        let label = [&[3, 0, 0, 0][..], b"Hi\0"].concat();
        let body = [&[0x80, 0x0b, 0x1a][..], &5_i64.to_le_bytes(), &label, &[0; 4]].concat();
        let builder = Builder::for_versions(release.versions()).flags(flags);
        let builder = builder.name("None").name("Red");
        let bytes = builder.export("Mill", "/Script/Game.Machine", body.clone()).build().unwrap();
        let mut package = open(bytes);
        let mut mill: MachineObject = package.values().typed_object("Mill").unwrap();
        assert_eq!(mill.body.properties.counts(), (5, 0), "{release}");
        let zeros = Pair { a: Some(0), b: Some(0) };
        let fields = &mut mill.body.properties.fields;
        let expected = Machine {
            count: Some(5),
            open: Some(false),
            label: Some("Hi".to_owned()),
            inner: Some(zeros),
            names: Some(Vec::new()),
            absent: None,
        };
        assert_eq!(*fields, expected, "{release}");
        // What was not changed is saved as it was.
        let start = package.exports().get(0).unwrap().offset();
        let saver = Saver::new(package.versions().clone()).at(start);
        let mut saver = saver.with_context(package.context());
        mill.serialize(&mut saver).unwrap();
        assert_eq!(saver.bytes(), body, "{release}");
        let fields = &mut mill.body.properties.fields;
        (fields.count, fields.open, fields.label) = (None, Some(true), Some("Ho".to_owned()));
        fields.inner.as_mut().unwrap().b = Some(7);
        fields.names.as_mut().unwrap().push(Name::new(1));
        let changed = fields.clone();
        package.edit(|edit| edit.set_typed_object("Mill", &mill)).unwrap();
        let again = open(package.to_bytes().unwrap());
        let read: MachineObject = again.values().typed_object("Mill").unwrap();
        assert_eq!(read.body.properties.fields, changed, "{release}");
        let texts = again.values().properties("Mill").unwrap();
        let texts: Vec<_> = texts.iter().map(|value| (&*value.path, &*value.text)).collect();
        let inner = ("Inner", "(A=0,B=7)");
        let expected = [("Open", "True"), ("Label", "\"Ho\""), inner, ("Names", "(Red)")];
        assert_eq!(texts, expected, "{release}");
        // What is not stored can't be set.
        mill.body.properties.fields.absent = Some(1);
        let error = package.edit(|edit| edit.set_typed_object("Mill", &mill)).unwrap_err();
        assert!(error.to_string().contains("stores no property Absent"), "{error}");
    }
}
