//! The five tasks of the README on real packages: its own command lines, run on copies that have the names of its
//! files, with its objects replaced by those of the packages. Packages are chosen by what they hold.

use std::path::{Path, PathBuf};

use unreal_packages::compare::diff;
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::common::{Folder, Run, command};
use crate::folders::corpus;
use crate::{line, page};

/// Packages that a task runs on are at most as large as this: each line opens them anew.
pub const LARGEST: u64 = 3 << 20;

/// A text of the README's lines, and what stands in its place.
type Replaced<'a> = (&'a str, &'a str);

/// Where a task stands, and the arguments of its lines.
fn lines(task: &str) -> (String, Vec<Vec<String>>) {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(&readme).unwrap();
    let tasks: Vec<_> = page::blocks(&readme, &text)
        .into_iter()
        .filter(|block| block.heading.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let numbers: Vec<_> = tasks.iter().map(|block| &block.heading[..2]).collect();
    assert_eq!(numbers, ["1.", "2.", "3.", "4.", "5."]);
    let block = tasks.into_iter().find(|block| block.heading.starts_with(task)).unwrap();
    let parse = |line: &page::Line| {
        let mut programs = line::parse(&line.text, Path::new("/")).unwrap();
        assert_eq!(programs.len(), 1, "{}", line.text);
        programs.remove(0).words.split_off(1)
    };
    let lines = block.lines.iter().map(parse).collect();
    (format!("README.md:{}", block.place), lines)
}

/// Runs the lines of a task in a folder, each with `more`, and insists on how they end.
pub fn run(task: &str, folder: &Folder, replaced: &[Replaced<'_>], more: &[&str]) -> Vec<Run> {
    let (place, lines) = lines(task);
    let run = |mut words: Vec<String>| {
        for word in &mut words {
            for (old, new) in replaced {
                *word = word.replace(old, new);
            }
        }
        words.extend(more.iter().map(|word| (*word).to_owned()));
        let output = command(&words).current_dir(folder.path("")).output().unwrap();
        let run = Run {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert_eq!(run.code, i32::from(words[0] == "diff"), "{place}: {words:?}: {run:?}");
        assert!(!run.out.is_empty(), "{place}: {words:?}: {run:?}");
        run
    };
    lines.into_iter().map(run).collect()
}

/// The packages of a folder of the corpus that open, sorted.
fn packages(of: &str) -> Vec<(PathBuf, Package)> {
    let folder = std::fs::read_dir(corpus().join(of)).unwrap();
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file() && file.metadata().unwrap().len() <= LARGEST);
    files.sort();
    files.into_iter().filter_map(|file| Some((file.clone(), Package::open(&file).ok()?))).collect()
}

fn paths(package: &Package) -> Vec<String> {
    package.exports().iter().map(|export| export.path()).collect()
}

/// A copy of a file in a folder of its own.
pub fn copied(file: &Path, name: &str) -> Folder {
    let folder = Folder::new();
    folder.write(name, std::fs::read(file).unwrap());
    folder
}

/// `upk` on a file of the folder.
pub fn get(folder: &Folder, file: &str, path: &str) -> String {
    folder.run("get", file, &[path]).exits(0).out
}

/// Maps of UE1 with lights: their lights' paths.
fn maps() -> Vec<(PathBuf, Package, Vec<String>)> {
    let with_lights = |(file, package): (PathBuf, Package)| {
        let lights = package.exports().iter().filter(|export| export.class() == "Engine.Light");
        let lights: Vec<String> = lights.map(|export| export.path()).collect();
        let is_map = package.find_export("LevelSummary").is_ok() && !lights.is_empty();
        (package.versions().file() < 100 && is_map).then_some((file, package, lights))
    };
    let maps: Vec<_> = packages("classic").into_iter().filter_map(with_lights).collect();
    assert!(maps.len() > 3, "{} maps with lights", maps.len());
    maps
}

pub fn maps_of_unreal_tournament_are_changed() {
    let maps = maps();
    for (file, old, lights) in &maps {
        let folder = copied(file, "Map.unr");
        run("1", &folder, &[], &[]);
        assert_eq!(get(&folder, "Map.unr", "LevelSummary.Title"), "Title=\"Arena\"\n");
        let new = folder.open("Map.unr");
        for light in lights {
            let radius = new.values().property(light, "LightRadius").unwrap();
            assert_eq!(radius.text, "64", "{}: {light}", file.display());
        }
        let difference = diff(old, &new);
        assert!(difference.added.is_empty() && difference.removed.is_empty(), "{difference:?}");
        for object in &difference.changed {
            let meant = object.path == "LevelSummary" || object.path.starts_with("Light");
            assert!(meant, "{}: {object:?}", file.display());
        }
        assert!(!difference.changed.is_empty());
        folder.run("verify", "Map.unr", &[]).exits(0);
    }
    println!("{} maps", maps.len());
}

pub fn actors_of_real_maps_are_duplicated() {
    let maps = maps();
    for (file, old, lights) in &maps {
        let light = lights[0].as_str();
        assert!(old.find_export("Light77").is_err(), "{}", file.display());
        let folder = copied(file, "Map.unr");
        run("2", &folder, &[("Light1", light)], &[]);
        let location = get(&folder, "Map.unr", "Light77.Location");
        assert_eq!(location.to_lowercase(), "location=(x=128.0,y=-64.0,z=32.0)\n");
        let difference = diff(old, &folder.open("Map.unr"));
        let added: Vec<_> = difference.added.iter().map(|object| &object.path).collect();
        assert_eq!(added, ["Light77"], "{}", file.display());
        assert!(difference.removed.is_empty(), "{difference:?}");
        for object in &difference.changed {
            assert_eq!(object.class, "Engine.Level", "{}: {object:?}", file.display());
        }
        let users = folder.run("refs", "Map.unr", &["Light77", "--places"]).exits(0).out;
        assert!(users.contains("MyLevel"), "{}: {users}", file.display());
        folder.run("verify", "Map.unr", &[]).exits(0);
    }
    println!("{} maps", maps.len());
}

pub fn textures_of_real_packages_are_renamed_and_moved() {
    let mut seen = 0;
    for (file, old) in packages("classic") {
        let in_group = old.exports().iter().find(|export| {
            let path = export.path();
            export.class() == "Engine.Texture" && path.matches('.').count() == 1
        });
        let before = paths(&old);
        let Some(texture) = in_group.filter(|_| old.versions().file() < 100) else { continue };
        assert!(!before.iter().any(|path| path.contains("Navy")), "{}", file.display());
        let texture = texture.path();
        let moved = format!("{}.Navy", texture.split('.').next().unwrap());
        let folder = copied(&file, "Skins.utx");
        run("3", &folder, &[("Dark.Blue", &texture), ("Dark.Navy", &moved)], &[]);
        let after = paths(&folder.open("Skins.utx"));
        let inside = format!("{texture}.");
        let expected: Vec<String> = before
            .iter()
            .map(|path| match path.strip_prefix(&inside) {
                Some(rest) => format!("Navy.{rest}"),
                None if *path == texture => "Navy".to_owned(),
                None => path.clone(),
            })
            .collect();
        assert_eq!(after, expected, "{}", file.display());
        folder.run("verify", "Skins.utx", &[]).exits(0);
        seen += 1;
    }
    println!("{seen} packages with textures in groups");
    assert!(seen > 10, "{seen}");
}

/// Tables with what opens them, by the manifest.
fn tables() -> Vec<(PathBuf, Vec<String>)> {
    let folder = corpus().join("modern");
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let mut rows = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let [file, class, release, mappings] =
        ["file", "asset_class", "engine_hint", "usmap"].map(column);
    rows.filter(|row| row[class] == "DataTable")
        .map(|row| {
            let mappings = folder.join(row[mappings]);
            let more = match mappings.is_file() {
                true => vec!["--engine", row[release], "--mappings", mappings.to_str().unwrap()],
                false => Vec::new(),
            };
            (folder.join(row[file]), more.into_iter().map(str::to_owned).collect())
        })
        .collect()
}

pub fn real_data_tables_change_and_grow() {
    let mut seen = 0;
    for (file, more) in tables() {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let folder = copied(&file, "DT_Weapons.uasset");
        let bodies = file.with_extension("uexp");
        if bodies.is_file() {
            folder.write("DT_Weapons.uexp", std::fs::read(bodies).unwrap());
        }
        let upk = |command: &str, args: &[&str]| {
            folder.run(command, "DT_Weapons.uasset", &[args, &more].concat()).exits(0)
        };
        let rows = upk("list", &["--json"]).json();
        let table = rows.iter().find(|row| row["class"] == "/Script/Engine.DataTable").unwrap();
        let table = table["path"].as_str().unwrap();
        // A row, and a number or a text in it.
        let found = upk("get", &[table]).out.lines().find_map(|text| {
            let (row, fields) = text.strip_prefix('[')?.split_once("]=")?;
            Some((row.to_owned(), leaf(fields)?))
        });
        let Some((row, path)) = found else {
            println!("{}: its rows hold no single values", file.display());
            continue;
        };
        let before = upk("get", &[table]).out;
        assert!(!before.contains("[Dagger]"), "{}", file.display());
        let (of_table, of_row) = (format!("{table}["), format!("[{row}].{}=", path.join(".")));
        // What stands in `(Damage=9)`: a field within structs is one within parentheses.
        let (outer, last) = path.split_at(path.len() - 1);
        let open: String = outer.iter().map(|name| format!("({name}=")).collect();
        let new = format!("{open}({}=9){}", last[0], ")".repeat(outer.len()));
        let replaced = [
            ("DT_Weapons[", of_table.as_str()),
            ("[Sword].Damage=", &of_row),
            ("[Sword]", &format!("[{row}]")),
            ("(Damage=9)", &new),
        ];
        run("4", &folder, &replaced, &more);
        for (row, number) in [(row.as_str(), "40"), ("Dagger", "9")] {
            let value = upk("get", &[&format!("{table}[{row}].{}", path.join("."))]).out;
            let value = value.trim_end().rsplit('=').next().unwrap().trim_matches('"').to_owned();
            assert_eq!(value.trim_end_matches(".0"), number, "{}", file.display());
        }
        // The other rows are as they were.
        let others = |text: &str| {
            let is_other = |line: &&str| {
                !line.starts_with(&format!("[{row}]=")) && !line.starts_with("[Dagger]=")
            };
            text.lines().filter(is_other).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(others(&upk("get", &[table]).out), others(&before), "{}", file.display());
        let table = table.rsplit('.').next().unwrap();
        let csv = std::fs::read_to_string(folder.path(&format!("Tables/{table}.csv"))).unwrap();
        assert!(csv.contains("\nDagger,"), "{}: {csv}", file.display());
        upk("verify", &[]);
        seen += 1;
    }
    println!("{seen} tables");
    assert!(seen > 5, "{seen}");
}

/// The names that lead to the first number or text of a struct's text that stands in no list.
fn leaf(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut quoted, mut start) = (0, false, 0);
    let mut fields = Vec::new();
    for (at, found) in inner.char_indices() {
        match found {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                fields.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    fields.push(&inner[start..]);
    let pairs = || fields.iter().filter_map(|field| field.split_once('='));
    let is_leaf = |value: &str| value.parse::<f64>().is_ok() || value.starts_with('"');
    let own = pairs().find(|(_, value)| is_leaf(value));
    if let Some((name, _)) = own {
        return Some(vec![name.to_owned()]);
    }
    pairs().find_map(|(name, value)| {
        // Elements of a list have no names before them.
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        Some([vec![name.to_owned()], leaf(value).filter(|_| is_name)?].concat())
    })
}

pub fn real_releases_are_conformed() {
    let all = packages("conform");
    let chain = |file: &Path| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        name.split_once("_gen").unwrap().0.to_owned()
    };
    let mut pairs = 0;
    for pair in all.windows(2) {
        let [(old_file, old), (new_file, new)] = pair else { continue };
        if chain(old_file) != chain(new_file) {
            continue;
        }
        // As a build leaves it: its own GUID, one generation, rows as they come.
        let mut new = new.clone();
        new.edit(|edit| edit.prune()).unwrap();
        let folder = Folder::new();
        folder.write("New/MyMod.u", new.to_bytes().unwrap());
        folder.write("Released/MyMod.u", std::fs::read(old_file).unwrap());
        let title = format!("{} to {}", new_file.display(), old_file.display());
        let check = ["check", "New/MyMod.u", "--against", "Released/MyMod.u"];
        let before = command(&check).current_dir(folder.path("")).output().unwrap();
        assert_eq!(before.status.code(), Some(1), "{title}");
        let runs = run("5", &folder, &[], &[]);
        assert!(runs[1].out.contains("conforms"), "{title}: {runs:?}");
        let done = folder.open("MyMod.u");
        assert_eq!(done.guid(), old.guid(), "{title}");
        let generations = [&done, old].map(|package| package.summary().generations.len());
        assert_eq!(generations[0], generations[1] + 1, "{title}");
        pairs += 1;
    }
    println!("{pairs} pairs");
    assert!(pairs > 10, "{pairs}");
}
