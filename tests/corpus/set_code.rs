//! Functions of real packages put in by text: by their own nothing changes, by a longer one nothing else does.

use std::collections::BTreeMap;

use unreal_packages::compare::diff;
use unreal_packages::compile::DiagnosticKind;
use unreal_packages::compile::parse;
use unreal_packages::compile::syntax::SyntaxItem;
use unreal_packages::decompile::Decompiler;
use unreal_packages::edit::PackageEdit;
use unreal_packages::make::{Maker, SetCode};
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageIndex;
use unreal_packages::version::{Game, UnrealVersions};

use crate::compile::{Environment, group_of, table_of};
use crate::files;

/// Functions of a package that are tried: spread over its classes.
const MOST_OF_A_PACKAGE: usize = 10;

/// The functions of a package's classes with their texts.
fn functions(package: &Package) -> Vec<(String, String)> {
    let decompiler = Decompiler::new(package);
    let mut all = Vec::new();
    for (row, export) in package.tables().exports.iter().enumerate() {
        if !export.class_index.is_null() {
            continue;
        }
        let class = package.path(PackageIndex::export(row));
        let Ok(Some(text)) = decompiler.class(row) else { continue };
        let syntax = parse(class.as_str(), text.clone()).syntax;
        for item in &syntax.items {
            let SyntaxItem::Function(written) = item else { continue };
            if written.body.is_none() || written.is_native() || written.kind.is_operator() {
                continue;
            }
            let (start, end) = syntax.range(written.first, written.last);
            let text = &text[start..end];
            // The line of an assertion is that of its text.
            if !text.to_ascii_lowercase().contains("assert(") && !written.has("overloaded") {
                all.push((format!("{class}.{}", written.name.text), text.to_owned()));
            }
        }
    }
    all
}

#[derive(Debug, Default)]
struct Counts {
    same: usize,
    longer: usize,
    missing: usize,
    differ: Vec<String>,
}

fn set(maker: &Maker, package: &mut Package, object: &str, text: &str) -> Result<SetCode, String> {
    let maker = maker.clone();
    let done = package.edit(|edit| maker.set_code(edit, object, "", text));
    done.map_err(|error| error.to_string())
}

pub fn functions_come_back_from_their_texts_and_longer_ones_touch_nothing_else() {
    let mut tables: BTreeMap<&str, Environment> = BTreeMap::new();
    let mut groups: BTreeMap<&str, Counts> = BTreeMap::new();
    for (name, bytes) in files::of("classic") {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let game = package.versions().game();
        let is_other = !matches!(game, Game::Mainline | Game::Ut2004 | Game::Swat4);
        // What it builds on is nowhere at hand.
        if package.versions().has_object_versions() || is_other || name.starts_with("530_") {
            continue;
        }
        let all = functions(&package);
        if all.is_empty() || package.container().is_some() {
            continue;
        }
        let group = group_of(&package);
        // Marks of debug builds say places in the authors' texts.
        if group == "UE3 debug" {
            continue;
        }
        let table = table_of(group);
        let table = tables.entry(table).or_insert_with(|| Environment::of(table));
        let mut maker = Maker::of_package("Own", &package).unwrap();
        for (package, declared) in &table.classes {
            maker.declarations(package, declared.clone());
        }
        let counts = groups.entry(group).or_default();
        let step = all.len().div_ceil(MOST_OF_A_PACKAGE);
        for (at, (object, text)) in all.iter().step_by(step).enumerate() {
            let mut changed = package.clone();
            match set(&maker, &mut changed, object, text) {
                Err(error) => counts.differ.push(format!("{name} {object}: {error}")),
                Ok(done) => match done.diagnostics.iter().find(|it| it.is_error()) {
                    Some(error) if error.kind == DiagnosticKind::UnknownName => counts.missing += 1,
                    Some(error) => counts.differ.push(format!("{name} {object}: {error}")),
                    None if done.objects[0].is_changed => {
                        counts.differ.push(format!("{name} {object}: {:?}", done.objects[0].sizes));
                    }
                    None => {
                        counts.same += 1;
                        assert_eq!(
                            changed.to_bytes().unwrap(),
                            package.source(),
                            "{name} {object}"
                        );
                        if at == 0 {
                            lengthen(&maker, &package, object, text);
                            counts.longer += 1;
                        }
                    }
                },
            }
        }
    }
    for (group, counts) in &groups {
        let Counts { same, longer, missing, differ } = counts;
        println!(
            "{group}: {same} the same, {longer} of them made longer, symbols missing in {missing}, other {}: {differ:#?}",
            differ.len()
        );
    }
    let sum = |of: fn(&Counts) -> usize| groups.values().map(of).sum::<usize>();
    let (same, differ) = (sum(|it| it.same), sum(|it| it.differ.len()));
    assert!(same >= 350, "{same} the same");
    assert!(differ * 100 <= (same + differ) * 3, "{differ} differ");
}

/// One more variable and one more statement: everything else is what it was.
fn lengthen(maker: &Maker, package: &Package, object: &str, text: &str) {
    let open = text.find('{').unwrap() + 1;
    let close = text.rfind('}').unwrap();
    let (head, body) = (&text[..open], &text[open..close]);
    let text = format!("{head}\nlocal string UpkMore;\n{body}\nUpkMore = \"More and more\";\n}}");
    let mut changed = package.clone();
    let done = set(maker, &mut changed, object, &text).unwrap();
    assert!(!done.has_errors(), "{object}: {}", done.diagnostics[0]);
    assert_eq!(done.objects[0].added, ["UpkMore"], "{object}");
    let changed = Package::from_bytes(changed.to_bytes().unwrap()).unwrap();
    assert_eq!(changed.to_bytes().unwrap(), changed.source(), "{object}");
    let found = diff(package, &changed);
    let added: Vec<_> = found.added.iter().map(|it| it.path.clone()).collect();
    assert_eq!(added, [format!("{object}.UpkMore")]);
    let mut touched: Vec<_> = found.changed.iter().map(|it| it.path.clone()).collect();
    // The last variable leads to the new one.
    touched.retain(|path| path != object && !path.starts_with(&format!("{object}.")));
    assert!(touched.is_empty() && found.removed.is_empty(), "{object}: {touched:?}");
    let row = changed.find_export(object).unwrap();
    Decompiler::new(&changed).check_code(std::iter::once(row)).unwrap();
}
