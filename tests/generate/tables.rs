//! Tables and texts of languages as rows and columns, and back.

use std::sync::Arc;

use unreal_packages::content::{
    Column, IniTexts, LocalizedTable, PackageContents, TableChange, TableEdits, TableFormat,
    rows_from, strings_from,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::NewAsset;
use unreal_packages::package::Package;
use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::{
    MappingData, MappingEnum, MappingName, MappingProperty, MappingStruct, MappingValue, SchemaType,
};
use unreal_packages::related::LocalizedTexts;
use unreal_packages::{EngineRelease, Result};

#[path = "../common/related.rs"]
#[allow(dead_code, reason = "other tests take the others")]
mod made;

const WEAPONS: &str = "---,Damage:float,Title:string,Kind:name,Shown:text,Slots:array:int\n\
    Sword,12.5,\"\"\"quoted\"\", and more\",Sharp,Hello,\"(1,2,3)\"\n\
    Axe,3.0,,Blunt,\"NSLOCTEXT(\"\"Space\"\",\"\"Key\"\",\"\"Text\"\")\",()\n\
    Bow,1.0, blank ,Far,,\n";

fn weapons(release: EngineRelease) -> Package {
    let rows = rows_from(WEAPONS.as_bytes(), TableFormat::Csv, "/Script/Game.Weapon", &[]);
    NewAsset::data_table("/Game/DT", rows.unwrap()).build(release).unwrap()
}

fn csv(package: &Package) -> String {
    let row = package.find_export("DT").unwrap();
    let table = package.contents().table(row).unwrap();
    String::from_utf8(table.file(TableFormat::Csv).unwrap()).unwrap()
}

fn replace(package: &mut Package, text: &str) -> Result<TableChange> {
    let row = package.find_export("DT").unwrap();
    let format = TableFormat::detect(text.as_bytes());
    package.edit(|edit| edit.replace_table(row, text.as_bytes(), format))
}

fn change(cells: usize, added: usize, removed: usize, reordered: bool) -> TableChange {
    let mut change = TableChange::default();
    (change.cells, change.added, change.removed) = (cells, added, removed);
    change.reordered = reordered;
    change
}

#[test]
fn cells_of_data_tables_change_and_go_back() {
    for release in [EngineRelease::new(4, 27), EngineRelease::new(5, 6)] {
        let mut package = weapons(release);
        let before = package.to_bytes().unwrap();
        let text = csv(&package);
        assert!(text.contains("Sword,12.5,\"\"\"quoted\"\", and more\",Sharp,"), "{text}");
        assert_eq!(replace(&mut package, &text).unwrap(), change(0, 0, 0, false));
        assert!(package.to_bytes().unwrap() == before);
        for (old, new) in [
            ("12.5", "99.25"),
            ("\"\"\"quoted\"\", and more\"", "\"a \\ \"\"b\"\" \nc\""),
            ("Sharp", "Very sharp_7"),
            ("Hello", "(Hallo)"),
            ("\"(1,2,3)\"", "\"(1,2,3,4)\""),
            ("\"NSLOCTEXT(\"\"Space\"\",\"\"Key\"\",\"\"Text\"\")\"", "Other words"),
            (" blank ", ""),
        ] {
            let text = csv(&package);
            let changed = text.replace(old, new);
            assert_ne!(text, changed, "{text}");
            assert_eq!(replace(&mut package, &changed).unwrap(), change(1, 0, 0, false), "{new}");
            let now = csv(&package);
            let read = |text: &str| {
                let mut reader = csv::Reader::from_reader(text.as_bytes());
                let rows: Vec<_> = reader.records().map(|row| row.unwrap()).collect();
                rows
            };
            // A text keeps its namespace and key.
            match new {
                "Other words" => assert!(now.contains("\"\"Key\"\",\"\"Other words\"\""), "{now}"),
                _ => assert_eq!(read(&now), read(&changed)),
            }
            let saved = package.to_bytes().unwrap();
            assert_eq!(csv(&Package::from_bytes(saved).unwrap()), now);
            assert_eq!(replace(&mut package, &text).unwrap().cells, 1);
        }
        assert!(package.to_bytes().unwrap() == before, "{}", csv(&package));
    }
}

#[test]
fn rows_come_go_and_move() {
    let mut package = weapons(EngineRelease::new(5, 4));
    let before = package.to_bytes().unwrap();
    let text = csv(&package);
    let lines: Vec<_> = text.lines().collect();
    let [head, sword, axe, bow] = lines[..] else { panic!("{text}") };
    let moved = [head, bow, sword, axe].join("\n");
    assert_eq!(replace(&mut package, &moved).unwrap(), change(0, 0, 0, true));
    let names = |package: &Package| {
        let row = package.find_export("DT").unwrap();
        let table = package.contents().table(row).unwrap();
        table.rows().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&package), ["Bow", "Sword", "Axe"]);
    let other = [head, sword, &bow.replace("Bow", "Crossbow"), axe, ",,,,,"].join("\n");
    assert_eq!(replace(&mut package, &other).unwrap(), change(0, 1, 1, false));
    assert_eq!(names(&package), ["Sword", "Crossbow", "Axe"]);
    let row = package.find_export("DT").unwrap();
    let table = package.contents().table(row).unwrap();
    assert_eq!(table.cell(1, "Title").as_deref(), Some(" blank "));
    assert_eq!(table.cell(1, "Shown"), None);
    assert_eq!(replace(&mut package, &text).unwrap(), change(0, 1, 1, false));
    assert!(package.to_bytes().unwrap() == before);
    // A column that the file lacks stays; a new one says its type.
    let more = "---,Range:float\nSword,2\nAxe,\nBow,100\n";
    assert_eq!(replace(&mut package, more).unwrap(), change(2, 0, 0, false));
    let table = package.contents().table(row).unwrap();
    assert_eq!(table.cell(2, "Range").as_deref(), Some("100.0"));
    assert_eq!(table.cell(0, "Damage").as_deref(), Some("12.5"));
    // Names of properties have no case.
    let other = "---,damage\nSword,13.5\nAxe,3.0\nBow,1.0\n";
    assert_eq!(replace(&mut package, other).unwrap(), change(1, 0, 0, false));
    let table = package.contents().table(row).unwrap();
    assert_eq!(table.cell(0, "Damage").as_deref(), Some("13.5"));
    assert!(!table.columns().iter().any(|column| column == "damage"));
}

#[test]
fn faults_name_their_place_and_change_nothing() {
    let mut package = weapons(EngineRelease::new(5, 4));
    let before = package.to_bytes().unwrap();
    let text = csv(&package);
    for (table, words) in [
        (text.replace("12.5", "many"), "row Sword, column Damage"),
        (text.replace("Damage", "Harm"), "Harm"),
        (text.replace("Damage", "Title"), "'Title' stands twice"),
        (text.replace("Axe,", "Sword,"), "Sword"),
        (text.replace("Axe,", ","), "no name"),
        ("[{\"Nome\": 1}]".to_owned(), "has no 'Name'"),
        ("{\"Rows\": []}".to_owned(), "no array of rows"),
        ("---,Damage\nSword\n".to_owned(), "CSV is damaged"),
        (String::new(), "the table is empty"),
        ("# Weapons\n\nSword, Axe\n".to_owned(), "begins with '# Weapons'"),
        ("---,Damage,damage\nSword,1,2\n".to_owned(), "'Damage' and 'damage' are the same"),
        ("---,Damage:int\nSword,1\n".to_owned(), "stored as float, not as int"),
        (r#"[{"Name": "Sword", "Kind": "A", "Kind": "B"}]"#.to_owned(), "'Kind' stands twice"),
    ] {
        let error = replace(&mut package, &table).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(package.to_bytes().unwrap() == before);
    }
}

#[test]
fn rows_of_json_say_all_that_they_store() {
    let mut package = weapons(EngineRelease::new(5, 4));
    let before = package.to_bytes().unwrap();
    let row = package.find_export("DT").unwrap();
    let json = package.contents().table(row).unwrap().file(TableFormat::Json).unwrap();
    let text = String::from_utf8(json).unwrap();
    // As other programs write it: 3 for 3.0, on one line.
    let short = text.replace("3.0", "3").replace('\n', "");
    assert_eq!(replace(&mut package, &short).unwrap(), change(0, 0, 0, false));
    let mut rows: serde_json::Value = serde_json::from_str(&text).unwrap();
    rows[0].as_object_mut().unwrap().remove("Title");
    rows[1]["Title"] = "".into();
    rows[2]["Slots"] = serde_json::json!([7, 8]);
    let done = replace(&mut package, &rows.to_string()).unwrap();
    assert_eq!(done, change(3, 0, 0, false));
    let table = package.contents().table(row).unwrap();
    let cells = [(0, "Title", None), (1, "Title", Some("")), (2, "Slots", Some("(7,8)"))];
    for (row, column, text) in cells {
        assert_eq!(table.cell(row, column).as_deref(), text);
    }
    replace(&mut package, &text).unwrap();
    let again = package.contents().table(row).unwrap().file(TableFormat::Json).unwrap();
    assert_eq!(again.len(), text.len());
    assert!(package.to_bytes().unwrap().len() == before.len());
}

#[test]
fn a_column_may_be_called_as_the_names_of_rows_are() {
    let file = b"---,Name:name\nFirst,A\nSecond,B\n";
    let rows = rows_from(file, TableFormat::Csv, "/Script/Game.Row", &[]).unwrap();
    let asset = NewAsset::data_table("/Game/DT", rows);
    let mut package = asset.build(EngineRelease::new(5, 4)).unwrap();
    let table = package.contents().table(package.find_export("DT").unwrap()).unwrap();
    let json = String::from_utf8(table.file(TableFormat::Json).unwrap()).unwrap();
    assert!(json.contains("\"---\": \"First\"") && json.contains("\"Name\": \"A\""), "{json}");
    assert_eq!(replace(&mut package, &json).unwrap(), change(0, 0, 0, false));
    let renamed = json.replace("\"B\"", "\"C\"");
    assert_eq!(replace(&mut package, &renamed).unwrap(), change(1, 0, 0, false));
}

#[test]
fn a_table_with_its_types_makes_another_table() {
    for release in [EngineRelease::new(4, 27), EngineRelease::new(5, 6)] {
        let package = weapons(release);
        let row = package.find_export("DT").unwrap();
        let table = package.contents().table(row).unwrap().with_types();
        let file = table.file(TableFormat::Csv).unwrap();
        assert!(file.starts_with(b"---,Damage:float,Title:string,Kind:name,"), "{file:?}");
        let rows = rows_from(&file, TableFormat::Csv, "/Script/Game.Weapon", &[]).unwrap();
        let again = NewAsset::data_table("/Game/DT", rows).build(release).unwrap();
        assert_eq!(csv(&again), csv(&package));
    }
}

/// Of a struct of rows, the one that it derives from, and a struct within.
fn mappings() -> Arc<Mappings> {
    let names = "Weapon Item Damage Slots Mode Modes EMode Stats FStats Title Odd Armour EMode::Slow EMode::Fast";
    let name = |text: &str| names.split(' ').position(|name| name == text).unwrap() as u32;
    let property = |text: &str, array_dim, schema| MappingProperty {
        name: name(text),
        array_dim,
        schema,
        ..MappingProperty::default()
    };
    let structure = |text: &str, super_struct, properties: Vec<MappingProperty>| MappingStruct {
        name: name(text),
        super_struct,
        property_count: properties.len() as u16 + 2,
        properties,
    };
    let mode = SchemaType::Enum(Box::new(SchemaType::Byte), name("EMode"));
    let structs = vec![
        structure(
            "Weapon",
            name("Item"),
            vec![
                property("Damage", 1, SchemaType::Double),
                property("Slots", 3, SchemaType::Int),
                property("Mode", 1, mode.clone()),
                property("Modes", 1, SchemaType::Array(Box::new(mode))),
                property("Stats", 1, SchemaType::Struct(name("FStats"))),
                property("Odd", 1, SchemaType::Unknown),
            ],
        ),
        structure("Item", u32::MAX, vec![property("Title", 1, SchemaType::Text)]),
        structure("FStats", u32::MAX, vec![property("Armour", 1, SchemaType::Int16)]),
    ];
    let value = |text, number| MappingValue { number, name: name(text) };
    let values = vec![value("EMode::Slow", 1), value("EMode::Fast", 7)];
    let enums = vec![MappingEnum { name: name("EMode"), values }];
    let names = names.split(' ').map(|text| MappingName(text.into())).collect();
    Arc::new(Mappings::new(MappingData { names, enums, structs, ..MappingData::default() }))
}

/// Mappings say the types that a head leaves out, and the file is the one of a head that says them.
#[test]
fn mappings_declare_the_columns_of_new_tables() {
    const ROWS: &str = "\nSword,2.5,7,9,EMode::Fast,(EMode::Slow),(Armour=3),Hello\nAxe,,,,,,,\n";
    const STRUCT: &str = "/Script/Game.Weapon";
    let mappings = mappings();
    let columns = Column::of_struct(&mappings, STRUCT).unwrap();
    let listed = columns.iter().map(|it| format!("{}:{}", it.name, it.property_type));
    let listed: Vec<_> = listed.collect();
    let wanted = "Damage:double,Slots:int,Slots[1]:int,Slots[2]:int,Mode:enum:EMode,\
                  Modes:array:enum:EMode,Stats:struct:FStats,Title:text";
    assert_eq!(listed.join(","), wanted);
    for release in [EngineRelease::new(4, 27), EngineRelease::new(5, 6)] {
        let of_rows = |head: &str, rows: &str, columns: &[Column]| {
            let text = format!("---,{head}{rows}");
            let rows = rows_from(text.as_bytes(), TableFormat::Csv, STRUCT, columns)?;
            let guid = unreal_packages::Guid::default();
            let asset = NewAsset::data_table("/Game/DT", rows).guid(guid);
            asset.build_with(release, mappings.clone())?.to_bytes()
        };
        let made = |head: &str, columns: &[Column]| of_rows(head, ROWS, columns);
        let bare = made("damage,Slots,Slots[2],Mode,Modes,Stats,Title", &columns).unwrap();
        let full = &wanted.replace("Slots[1]:int,", "");
        assert!(made(full, &[]).unwrap() == bare, "{release}");
        assert!(made(full, &columns).unwrap() == bare, "{release}");
        // Tables of games have the numbers of enums.
        let numbers = ROWS.replace("EMode::Fast", "7").replace("EMode::Slow", "1");
        assert!(of_rows(full, &numbers, &[]).unwrap() == bare, "{release}");
        let error = of_rows(full, &ROWS.replace("EMode::Fast", "2"), &[]).unwrap_err().to_string();
        assert!(error.contains("row Sword, column Mode"), "{error}");
        // An element of a static array is one: the names are those of the struct.
        let package = Package::from_bytes(bare).unwrap();
        let text = csv(&package);
        let head = "---,Damage,Slots,Slots[2],Mode,Modes,Stats,Title\n";
        assert!(text.starts_with(head) && text.contains("(Armour=3)"), "{text}");
        assert!(!package.names().iter().any(|name| name.to_string().contains('[')));
        // A byte of an enum is called an enum in mappings.
        let byte = full.replace(":enum", ":byte-enum");
        made(&byte, &columns).unwrap();
        for (first, reason) in [
            ("Damage:float", "declared as double"),
            ("Odd", "'Odd' has no type: write Odd:float"),
            ("Nothing", "declared are Damage, Slots,"),
            ("Slots[3]", "'Slots[3]' has no type"),
            ("Modes:array:byte-enum:EOther", "declared as array:enum:EMode"),
            ("Stats.Armour:int", "lies within a property"),
        ] {
            let head = format!("{first},A:int,B:int,C:name,D:name,E:name,F:text");
            let error = made(&head, &columns).unwrap_err().to_string();
            assert!(error.contains(reason), "{head}: {error}");
        }
        let twice = full.replace("Slots[2]", "Slots[0]");
        assert!(made(&twice, &[]).unwrap_err().to_string().contains("Slots"));
    }
    let error = Column::of_struct(&mappings, "/Script/Game.Nothing").unwrap_err().to_string();
    assert!(error.contains("Nothing") && error.contains("in the mappings"), "{error}");
}

#[test]
fn string_tables_take_texts_keys_and_meta_data() {
    let file = b"Key,SourceString\nStart,Start!\nQuit,\"Ende, aus\"\n";
    let (_, strings) = strings_from(file, TableFormat::Csv).unwrap();
    let asset = NewAsset::string_table("/Game/DT", "Menu", strings);
    let mut package = asset.build(EngineRelease::new(5, 6)).unwrap();
    let before = package.to_bytes().unwrap();
    let same = csv(&package);
    assert_eq!(replace(&mut package, &same).unwrap(), change(0, 0, 0, false));
    let text = "Key,SourceString,Note\nquit,Enough,\nStart,Los,for \"\"\nQuit,\"Ende, aus\",\n";
    let text = text.replace("for \"\"", "\"for \"\"all\"\"\"");
    assert_eq!(replace(&mut package, &text).unwrap(), change(2, 1, 0, false));
    let saved = package.to_bytes().unwrap();
    let mut package = Package::from_bytes(saved).unwrap();
    assert_eq!(csv(&package), text);
    let json = package.contents().table(package.find_export("DT").unwrap()).unwrap();
    let json = String::from_utf8(json.file(TableFormat::Json).unwrap()).unwrap();
    let renamed = json.replace("\"Menu\"", "\"Main menu\"");
    assert!(replace(&mut package, &renamed).unwrap().namespace);
    let first = "Key,SourceString,Note\nStart,Start!,\nQuit,\"Ende, aus\",\n";
    assert_eq!(replace(&mut package, first).unwrap(), change(2, 0, 1, false));
    let table = package.contents().table(package.find_export("DT").unwrap()).unwrap();
    let json = String::from_utf8(table.file(TableFormat::Json).unwrap()).unwrap();
    replace(&mut package, &json.replace("\"Main menu\"", "\"Menu\"")).unwrap();
    package.edit(|edit| edit.prune()).unwrap();
    let (one, other) = (Package::from_bytes(before).unwrap(), package);
    let bodies = [&one, &other].map(|it| it.body(it.find_export("DT").unwrap()).unwrap().len());
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(csv(&one), csv(&other));
}

#[test]
fn texts_of_languages_take_new_keys() {
    for version in 0..4 {
        let bytes = made::texts(version);
        let (mut texts, _) = LocalizedTexts::read(bytes.clone()).unwrap();
        let table = texts.table(&bytes).unwrap().file(TableFormat::Csv).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert_eq!(
            table,
            "Namespace,Key,Translation,SourceHash\nMenu,Start,Go,0x09090909\n\
             Menu,Stop,Go,0x09090909\n,Bare,Nackt – ohne,0x09090909\n"
        );
        let mut give = |table: &str, source: &[u8]| {
            let done = texts.replace_rows(table.as_bytes(), TableFormat::Csv, source)?;
            Ok::<_, unreal_packages::Error>((done, texts.save(source.to_vec())?))
        };
        assert_eq!(give(&table, &bytes).unwrap(), (change(0, 0, 0, false), bytes.clone()));
        // One of two that share a string, and one that has its own.
        let other = table.replace("Start,Go", "Start,Los").replace("Nackt – ohne", "Bare");
        let (done, _) = give(&other, &bytes).unwrap();
        assert_eq!(done, change(2, 0, 0, false));
        assert_eq!(give(&table, &bytes).unwrap().0, change(2, 0, 0, false));
        let more = "Namespace,Key,Translation,SourceHash,SourceString\n\
            New,A,Neu,,Fresh\nMenu,Stop,Go,0x09090909,\nMenu,C,Go,7,\n";
        for (bad, words) in [
            (more.replace(",,Fresh", ",,"), "needs the hash"),
            (more.replace("Menu,C", "Menu,Stop"), "Menu/Stop"),
            (more.replace("SourceString", "Comment"), "no column Comment"),
            (more.replace(",7,", ",seven,"), "'seven' is no number"),
        ] {
            let error = give(&bad, &bytes).unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
        }
        let (done, saved) = give(more, &bytes).unwrap();
        assert_eq!(done, change(0, 2, 2, false));
        let (again, _) = LocalizedTexts::read(saved.clone()).unwrap();
        let entries = again.entries(&saved).unwrap();
        let expected = [("Menu/Stop", "Go"), ("Menu/C", "Go"), ("New/A", "Neu")];
        assert_eq!(entries, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
        if version >= 2 {
            assert_eq!((again.key_count, again.strings.len()), (3, 2));
            let users: Vec<_> = again.strings.iter().map(|string| string.users).collect();
            assert_eq!(users, [2, 1]);
        }
    }
}

#[test]
fn source_texts_have_the_hash_that_the_engine_gives_them() {
    // CRC-32 of one unit as four bytes: 41 00 00 00.
    assert_eq!(LocalizedTexts::source_hash(""), 0);
    assert_eq!(LocalizedTexts::source_hash("A"), hash_of_a());
}

/// The same, bit by bit.
fn hash_of_a() -> u32 {
    let mut sum = !0_u32;
    for byte in [0x41_u8, 0, 0, 0] {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

const INI: &str = "; made by hand\r\n[Public]\r\nObject=(Name=A)\r\nObject=(Name=B)\r\n\r\n\
    [Hud]\r\nTitle = \"Größe\"\r\nEmpty=\r\n";

#[test]
fn texts_of_the_first_engines_keep_their_lines() {
    let wide = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect::<Vec<_>>()
    };
    let ansi = |text: &str| text.chars().map(|c| u8::try_from(c).unwrap()).collect::<Vec<_>>();
    for (is_wide, encode) in [(true, &wide as &dyn Fn(&str) -> Vec<u8>), (false, &ansi)] {
        let file = encode(INI);
        let mut texts = IniTexts::read(&file).unwrap();
        let table = texts.table().file(TableFormat::Csv).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert_eq!(
            table,
            "Section,Key,Value\nPublic,Object,(Name=A)\nPublic,Object,(Name=B)\n\
             Hud,Title,\"\"\"Größe\"\"\"\nHud,Empty,\n"
        );
        let mut give = |table: &str| {
            let done = texts.replace_rows(table.as_bytes(), TableFormat::Csv)?;
            Ok::<_, unreal_packages::Error>((done, texts.save()?))
        };
        assert_eq!(give(&table).unwrap(), (change(0, 0, 0, false), file.clone()));
        let other = table.replace("Größe", "Länge").replace("Empty,", "Empty,Full")
            + "Public,Object,(Name=C)\nNew,Key,Value\n";
        let (done, saved) = give(&other).unwrap();
        assert_eq!(done, change(2, 2, 0, false));
        let expected = INI
            .replace("Größe", "Länge")
            .replace("Empty=", "Empty=Full")
            .replace("(Name=B)\r\n", "(Name=B)\r\nObject=(Name=C)\r\n")
            + "\r\n[New]\r\nKey=Value\r\n";
        assert_eq!(saved, encode(&expected));
        let first = other.replace("Public,Object,(Name=C)\nNew,Key,Value\n", "");
        give(&first).unwrap();
        assert_eq!(give(&table).unwrap().1, encode(&(INI.to_owned() + "\r\n[New]\r\n")));
        assert!(give("Section,Key,Value\nHud,Title,\"two\nlines\"\n").is_err());
        assert_eq!(give(&table.replace("Größe", "Łódź")).is_ok(), is_wide);
    }
    assert!(IniTexts::read(&[0xff, 0xfe, 0, 0xd8]).is_err());
}

/// Cells name the class of an object of another package, as the editor's do: a table that does not refer to it yet imports it.
#[test]
fn references_go_from_table_to_table() {
    const ICONS: &str = "---,Icon:object,Icons:array:object\n\
        Sun,/Script/Engine.Texture2D'/Game/T_Sun.T_Sun',\
        \"(\"\"/Script/Engine.Font'/Game/F_Sun.F_Sun'\"\",None)\"\n";
    let made = |text: &str| {
        let rows = rows_from(text.as_bytes(), TableFormat::Csv, "/Script/Game.Icons", &[]);
        let asset = NewAsset::data_table("/Game/DT", rows.unwrap());
        asset.build(EngineRelease::new(5, 4)).unwrap()
    };
    let mut package = made(ICONS);
    let text = csv(&package);
    assert_eq!(text, ICONS.replace(":object", "").replace(":array", ""));
    let before = package.to_bytes().unwrap();
    assert_eq!(replace(&mut package, &text).unwrap(), change(0, 0, 0, false));
    // Without its class it is the same object, also in JSON.
    let short = text.replace("/Script/Engine.Texture2D'/Game/T_Sun.T_Sun'", "/Game/T_Sun.T_Sun");
    assert_ne!(short, text);
    assert_eq!(replace(&mut package, &short).unwrap(), change(0, 0, 0, false));
    let json = r#"[{ "Name": "Sun", "Icon": "/Game/T_Sun.T_Sun", "Icons":
        ["/Game/F_Sun.F_Sun", "None"] }]"#;
    assert_eq!(replace(&mut package, json).unwrap(), change(0, 0, 0, false));
    assert!(package.to_bytes().unwrap() == before);
    let mut other = made("---,Icon:object,Icons:array:object\nMoon,None,(None)\n");
    assert_eq!(replace(&mut other, &text).unwrap(), change(0, 1, 1, false));
    assert_eq!(csv(&other), text);
    for path in ["/Game/T_Sun.T_Sun", "/Game/F_Sun.F_Sun"] {
        assert!(other.find(path).is_some(), "{path}");
    }
    // A text in quotes is no object.
    let error = replace(&mut other, "---,Icons\nSun,\"(\"\"Sun\"\")\"\n").unwrap_err().to_string();
    assert!(error.contains("is no value of type object"), "{error}");
}
