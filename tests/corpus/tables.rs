//! Every data table, curve table, string table and file of texts of the corpus as CSV and JSON, and back.

use std::collections::BTreeMap;

use unreal_packages::content::{
    ContentKind, LocalizedTable, PackageContents, Table, TableEdits, TableFormat,
};
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::package::Package;
use unreal_packages::primitive::FString;
use unreal_packages::related::LocalizedTexts;

use crate::folders::corpus;
use crate::manifest;

/// Larger packages hold no tables.
const LARGEST: u64 = 8_000_000;

/// Every package of UE4 and UE5 that opens, with its mappings where it needs some.
fn each(mut check: impl FnMut(&str, Package)) {
    for entry in manifest::packages() {
        let options = entry.options_with_readable_mappings();
        if let Ok(package) = options.open(&entry.path) {
            check(entry.name(), package);
        }
    }
    let Ok(wild) = std::fs::read_dir(corpus().join("wild/modern")) else { return };
    let mut wild: Vec<_> = wild.map(|entry| entry.unwrap().path()).collect();
    wild.retain(|file| file.metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST));
    wild.sort();
    for file in wild {
        if let Ok(package) = Package::open(&file) {
            check(&file.file_name().unwrap().to_string_lossy(), package);
        }
    }
}

/// The table with other names of rows.
fn renamed(csv: &[u8], name: impl Fn(&str) -> String) -> Vec<u8> {
    let mut reader = csv::Reader::from_reader(csv);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(reader.headers().unwrap()).unwrap();
    for record in reader.records() {
        let record = record.unwrap();
        let first = name(&record[0]);
        writer.write_record([first.as_str()].into_iter().chain(record.iter().skip(1))).unwrap();
    }
    writer.into_inner().unwrap()
}

/// The cells of rows, whatever order their columns have.
fn cells(table: &Table) -> Vec<(String, BTreeMap<String, String>)> {
    let row = |(at, name): (usize, &str)| {
        let cell = |column: &String| Some((column.clone(), table.cell(at, column)?));
        let cells = table.columns().iter().filter_map(cell).filter(|(_, text)| !text.is_empty());
        (name.to_owned(), cells.collect())
    };
    table.rows().enumerate().map(row).collect()
}

/// Gives the table rows of other names, each made of its texts alone, and then rows of the names that it had.
fn rebuilt(edit: &mut Edit, row: usize, csv: &[u8]) -> unreal_packages::Result<()> {
    let other = |name: &str| format!("Another{name}");
    let change = edit.replace_table(row, &renamed(csv, other), TableFormat::Csv)?;
    assert_eq!((change.cells, change.added, change.removed), (0, change.added, change.added));
    edit.replace_table(row, csv, TableFormat::Csv).map(drop)
}

pub fn tables_come_out_and_go_back_byte_for_byte() {
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let (mut refused, mut faults) = (Vec::new(), Vec::new());
    each(|name, mut package| {
        let before = package.to_bytes().unwrap();
        for row in 0..package.exports().len() {
            if package.contents().content_kind(row).unwrap() != Some(ContentKind::Table) {
                continue;
            }
            let class = package.exports().get(row).unwrap().class();
            let class = class.rsplit('.').next().unwrap().to_owned();
            if class == "UserDefinedEnum" {
                continue;
            }
            let count = counts.entry(class.clone()).or_default();
            count[0] += 1;
            let table = match package.contents().table(row) {
                Ok(table) => table,
                Err(why) => {
                    refused.push(format!("{name} ({class}) does not come out: {why}"));
                    continue;
                }
            };
            for format in TableFormat::ALL {
                let file = table.file(*format).unwrap();
                let typed = table.clone().with_types().file(*format).unwrap();
                for file in [file, typed] {
                    let change = package.edit(|edit| edit.replace_table(row, &file, *format));
                    let change = change.unwrap_or_else(|why| panic!("{name} {format}: {why}"));
                    assert!(!change.is_change(), "{name} {format}: {change:?}");
                }
            }
            assert!(package.to_bytes().unwrap() == before, "{name}");
            count[1] += 1;
            if table.rows().len() == 0 {
                count[2] += 1;
                continue;
            }
            let csv = table.file(TableFormat::Csv).unwrap();
            let mut copy = package.clone();
            match copy.edit(|edit| rebuilt(edit, row, &csv)) {
                Ok(()) => {
                    let again = copy.contents().table(row).unwrap();
                    match cells(&again) == cells(&table) {
                        true => count[2] += 1,
                        false => faults.push(format!("{name}: rows of texts say something else")),
                    }
                    count[3] += usize::from(copy.to_bytes().unwrap() == before);
                }
                Err(why) => refused.push(format!("{name} ({class}): {why}")),
            }
        }
    });
    println!(
        "tables, those that come back, whose rows are made of texts alone, to the same bytes:"
    );
    println!("{counts:#?}\n{} refused:\n{}", refused.len(), refused.join("\n"));
    println!("{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(counts.values().any(|count| count[1] > 0));
    assert!(faults.is_empty());
}

/// Reads every file as Python's `csv` and `json` do, and writes what it has read in another form.
const REWRITE: &str = r#"
import csv, json, pathlib, sys
csv.field_size_limit(1 << 30)
for path in pathlib.Path(sys.argv[1]).iterdir():
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert len({len(row) for row in rows}) == 1, path
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, delimiter=";").writerows(rows)
    else:
        table = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(table, sort_keys=True), encoding="utf-8")
"#;

/// The formats that Python reads without further packages.
const TEXTS: [TableFormat; 2] = [TableFormat::Csv, TableFormat::Json];

pub fn python_reads_every_table_and_what_it_writes_is_no_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut packages = Vec::new();
    each(|name, package| {
        for row in 0..package.exports().len() {
            if package.contents().content_kind(row).unwrap() != Some(ContentKind::Table) {
                continue;
            }
            let class = package.exports().get(row).unwrap().class();
            let Ok(table) = package.contents().table(row) else { continue };
            if class.ends_with("UserDefinedEnum") {
                continue;
            }
            for format in &TEXTS {
                let file = folder.path().join(format!("{}.{format}", packages.len()));
                std::fs::write(file, table.file(*format).unwrap()).unwrap();
            }
            packages.push((name.to_owned(), package.clone(), row));
        }
    });
    let run = std::process::Command::new("python3")
        .args(["-c", REWRITE])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for (at, (name, package, row)) in packages.iter_mut().enumerate() {
        for format in &TEXTS {
            let file = std::fs::read(folder.path().join(format!("{at}.{format}"))).unwrap();
            let change = package.edit(|edit| edit.replace_table(*row, &file, *format)).unwrap();
            assert!(!change.is_change(), "{name} {format}: {change:?}");
        }
    }
    println!("{} tables", packages.len());
    assert!(!packages.is_empty());
}

/// Hashes, texts and counts of a file of texts, whatever the characters of its texts are stored as.
fn facts(file: &[u8]) -> Vec<(u32, String)> {
    let (texts, _) = LocalizedTexts::read(file.to_vec()).unwrap();
    let text = |text: &FString| text.text(file).unwrap().into_owned();
    let mut facts = vec![(texts.key_count, String::new())];
    for namespace in &texts.namespaces {
        facts.push((namespace.name.hash, text(&namespace.name.text)));
        for entry in &namespace.entries {
            facts.push((entry.key.hash, text(&entry.key.text)));
            let translation = texts.translation(entry).map(text).unwrap_or_default();
            facts.push((entry.source_hash, translation));
        }
    }
    facts.extend(texts.strings.iter().map(|it| (it.users.cast_unsigned(), text(&it.text))));
    facts
}

pub fn texts_of_languages_come_out_and_go_back_byte_for_byte() {
    let (mut files, mut made, mut identical) = (0, 0, 0);
    for folder in ["saves", "wild/saves"] {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "locres") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let (mut texts, _) = LocalizedTexts::read(bytes.clone()).unwrap();
            let table = texts.table(&bytes).unwrap();
            for format in TableFormat::ALL {
                let file = table.file(*format).unwrap();
                let change = texts.replace_rows(&file, *format, &bytes).unwrap();
                assert!(!change.is_change(), "{} {change:?}", path.display());
            }
            assert!(texts.save(bytes.clone()).unwrap() == bytes, "{}", path.display());
            // All keys gone and made anew have the hashes that the engine gave them. A key that stands twice is none.
            let csv = table.file(TableFormat::Csv).unwrap();
            let head = csv.split_inclusive(|byte| *byte == b'\n').next().unwrap();
            texts.replace_rows(head, TableFormat::Csv, &bytes).unwrap();
            assert_eq!((texts.keys(), texts.strings.len()), (0, 0), "{}", path.display());
            match texts.replace_rows(&csv, TableFormat::Csv, &bytes) {
                Ok(change) => {
                    assert_eq!(change.added, table.rows().len());
                    let saved = texts.save(bytes.clone()).unwrap();
                    let [old, new] = [&bytes, &saved].map(|file| facts(file));
                    assert!(old == new, "{}", path.display());
                    made += 1;
                    identical += usize::from(saved == bytes);
                }
                Err(error) => println!("{}: {error}", path.display()),
            }
            files += 1;
        }
    }
    println!("{files} files, {made} made anew of their texts, {identical} with the same bytes");
    assert!(made > 0);
}
