//! Classes of real packages as source: what is decompiled is UnrealScript, and says what the authors' own text says
//! wherever a class carries it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::decompile::Decompiler;
use unreal_packages::object::Native;
use unreal_packages::object::text::TextBuffer;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::{Engine, UnrealVersions};

use crate::files;
use crate::unreal_script::{
    Function, Names, State, Statement, Text, checks, normal, normal_expression, normal_state,
    parse, skeleton_without,
};

/// A class that carries its source.
struct Carried {
    place: String,
    /// As its authors wrote it.
    written: Text,
    /// As it was decompiled.
    decompiled: Text,
}

/// The classes of one engine.
#[derive(Default)]
struct Classes {
    count: usize,
    carried: Vec<Carried>,
    /// Native calls that nothing names, and all calls of functions.
    unnamed: usize,
    calls: usize,
}

/// What share of functions is the same at least, by engine, and the enums that the engine declares.
const ENGINES: [(&str, f64, &[&str]); 3] = [
    (
        "UE1",
        0.95,
        &[
            include_str!("../../unreal/model/src/property/engine/ue1.txt"),
            include_str!("../../unreal/model/src/property/engine/ue1-more.txt"),
        ],
    ),
    (
        "UE2",
        0.95,
        &[
            include_str!("../../unreal/model/src/property/engine/ue2.txt"),
            include_str!("../../unreal/model/src/property/engine/ue2-more.txt"),
        ],
    ),
    (
        "UE3",
        0.90,
        &[
            include_str!("../../unreal/model/src/property/engine/ue3.txt"),
            include_str!("../../unreal/model/src/property/engine/ue3-more.txt"),
        ],
    ),
];

fn engine_of(package: &Package) -> usize {
    match package.versions().engine() {
        Engine::Ue1 => 0,
        Engine::Ue2 => 1,
        _ => 2,
    }
}

/// The source that the class in this row carries.
fn carried(package: &Package, row: usize) -> Option<String> {
    let class = package.decode(row).ok()?;
    let Native::Script(object) = &class.body.native else { return None };
    let ObjectRef::Export(text) = object.structure()?.script_text.target() else { return None };
    let text = package.decode(text).ok()?;
    let text = native_as::<TextBuffer>(&text.body)?.text.text(package.source()).ok()?;
    (!text.trim().is_empty()).then(|| text.into_owned())
}

fn read(name: &str, package: &Package, found: &Mutex<[Classes; 3]>) {
    let decompiler = Decompiler::new(package);
    let mut classes = Classes::default();
    for row in 0..package.exports().len() {
        let text = decompiler.class(row).unwrap_or_else(|error| panic!("{name} #{row}: {error}"));
        let Some(text) = text else { continue };
        let place = format!("{name} {}", package.exports().get(row).unwrap().name());
        let decompiled = parse(&text).unwrap_or_else(|error| panic!("{place}: {error}"));
        classes.count += 1;
        classes.unnamed += text.matches("__native(").count();
        classes.calls += text.matches('(').count();
        let Some(written) = carried(package, row) else { continue };
        let written = parse(&written).unwrap_or_else(|error| panic!("{place}, carried: {error}"));
        classes.carried.push(Carried { place, written, decompiled });
    }
    let mut found = found.lock().unwrap();
    let of_engine = &mut found[engine_of(package)];
    of_engine.count += classes.count;
    of_engine.unnamed += classes.unnamed;
    of_engine.calls += classes.calls;
    of_engine.carried.extend(classes.carried);
}

/// The enums in a file of the engine's facts; its own head explains the form.
fn known_enums(facts: &str, names: &mut Names) {
    let is_enum = |line: &&str| line.starts_with("byte-enum ") || line.starts_with("enum ");
    for line in facts.lines().filter(is_enum) {
        let mut words = line.split_whitespace().skip(1);
        let Some(name) = words.next() else { continue };
        let mut before = "";
        let values: Vec<String> = words
            .filter_map(|word| match word.strip_suffix('*') {
                Some(prefix) => {
                    before = prefix;
                    None
                }
                None => Some(format!("{before}{word}")),
            })
            .collect();
        if !line.contains('=') {
            names.add_enum(name, &values);
        }
    }
}

type FunctionKey = (Option<String>, String, Vec<String>);

fn key(function: &Function) -> FunctionKey {
    let folded = |text: &String| text.to_ascii_lowercase();
    // A type can be written with its package.
    let short = |word: &str| word.rsplit('.').next().unwrap_or_default().to_owned();
    let typed = |text: &String| folded(text).split(' ').map(short).collect::<Vec<_>>().join(" ");
    let parameters = function.parameters.iter().map(typed).collect();
    (function.state.as_ref().map(folded), folded(&function.name), parameters)
}

/// Why two normal texts differ.
fn reason(written: &str, decompiled: &str) -> &'static str {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words = |text: &str| -> Vec<String> {
        let spaced = text.replace(['(', ')', ',', ';', ':', '[', ']'], " ");
        spaced.split_whitespace().map(str::to_owned).collect()
    };
    let without_super = |text: &str| text.replace("super.", "");
    let (one, other) = (words(written), words(decompiled));
    let names_differ = one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| one == other || is_number(other));
    match () {
        () if names_differ => "numbers whose names no package at hand declares",
        () if written.contains("arraycount(") => "sizes of arrays that are declared elsewhere",
        () if without_super(written) == without_super(decompiled) => {
            "`super.` where nothing here overrides the function"
        }
        () if decompiled.contains("__native(") => "natives that nothing names",
        () if written.contains("continue;") || decompiled.contains("continue;") => {
            "`continue` in loops that the compiler has turned into others"
        }
        () if written.contains("goto label") || decompiled.contains("goto label") => "jumps",
        () => "other reasons",
    }
}

/// A function or state's code in both grades, and its names in order.
fn normals(body: &[Statement], defaults: &str, names: &Names, write: Write) -> [String; 3] {
    [false, true]
        .map(|strict| format!("{defaults}{}", write(body, names, strict)))
        .into_iter()
        .chain([skeleton_without(body, names)])
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

type Write = fn(&[Statement], &Names, bool) -> String;

/// What parameters are where they are left out.
fn defaults(function: &Function, names: &Names) -> String {
    let given = function.defaults.iter().flatten();
    given.map(|value| normal_expression(value, names, false) + "\n").collect()
}

/// How many functions and states there are with code in both texts, and how many have the same names, are the same,
/// and are the same to the word.
fn compare(
    classes: &Classes,
    names: &Names,
    reasons: &mut BTreeMap<&str, Vec<String>>,
) -> [usize; 4] {
    let mut counts = [0; 4];
    let mut count = |place: String, texts: Option<[[String; 3]; 2]>| {
        counts[0] += 1;
        let Some([written, decompiled]) = texts else {
            return reasons.entry("not there, or with other parameters").or_default().push(place);
        };
        counts[1] += usize::from(written[2] == decompiled[2]);
        counts[2] += usize::from(written[0] == decompiled[0]);
        counts[3] += usize::from(written[1] == decompiled[1]);
        if written[0] != decompiled[0] {
            reasons.entry(reason(&written[0], &decompiled[0])).or_default().push(place);
        }
    };
    for class in &classes.carried {
        let found: HashMap<_, _> =
            class.decompiled.functions.iter().map(|function| (key(function), function)).collect();
        let mut of_class = names.clone();
        of_class.add(&class.written);
        for function in &class.written.functions {
            let Some(body) = &function.body else { continue };
            let place = format!("{} line {} {}", class.place, function.line, function.name);
            let found = found.get(&key(function));
            let Some((found, found_body)) = found.and_then(|it| Some((it, it.body.as_ref()?)))
            else {
                count(place, None);
                continue;
            };
            let mut names = of_class.clone();
            names.add_array_sizes(&function.locals);
            let [given, found_given] = [function, found].map(|it| defaults(it, &names));
            let texts = [
                normals(body, &given, &names, normal),
                normals(found_body, &found_given, &names, normal),
            ];
            count(place, Some(texts));
        }
        for state in class.written.states.iter().filter(|state| !state.body.is_empty()) {
            let place = format!("{} line {} {}", class.place, state.line, state.name);
            let is = |found: &&State| found.name.eq_ignore_ascii_case(&state.name);
            let found = class.decompiled.states.iter().find(is);
            let found = found.unwrap_or_else(|| panic!("{place} is not there"));
            let states = [state, found];
            let texts = states.map(|it| normals(&it.body, "", &of_class, normal_state));
            count(place, Some(texts));
        }
    }
    counts
}

pub fn decompiled_classes_say_what_their_authors_wrote() {
    checks::run();
    let all: Vec<_> = ["classic", "conform"].iter().copied().flat_map(files::of).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::<[Classes; 3]>::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, bytes)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Ok(package) = Package::from_bytes(bytes.clone()) {
                        read(name, &package, &found);
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    let (mut unnamed, mut calls) = (0, 0);
    for (classes, (engine, least, facts)) in found.iter().zip(ENGINES) {
        let mut names = Names::default();
        facts.iter().for_each(|facts| known_enums(facts, &mut names));
        classes.carried.iter().for_each(|class| names.add(&class.written));
        let mut reasons = BTreeMap::new();
        let [functions, skeletons, same, strictly] = compare(classes, &names, &mut reasons);
        println!(
            "{engine}: {} classes, {} with their source; of {functions} functions and states {skeletons} have the same names, \
             {same} are the same ({:.1} %), {strictly} to the word",
            classes.count,
            classes.carried.len(),
            100.0 * same as f64 / functions.max(1) as f64,
        );
        for (reason, places) in &reasons {
            println!("  {}: {reason}, as {}", places.len(), places[0]);
        }
        assert!(functions > 300, "{engine}: {functions} functions");
        assert!(same as f64 >= least * functions as f64, "{engine}: {reasons:#?}");
        (unnamed, calls) = (unnamed + classes.unnamed, calls + classes.calls);
    }
    println!("{unnamed} of {calls} calls are of natives that nothing names");
    assert!(unnamed * 1000 <= calls, "{unnamed} of {calls}");
}
