//! Blueprints of real packages as pseudo-code: whatever their bytecode names is there, in well-formed text.

use std::collections::HashMap;

use unreal_packages::decompile::Decompiler;
use unreal_packages::inspect::operand_text;
use unreal_packages::package::Package;
use unreal_packages::script::{ScriptExpression, ScriptItem, statements};
use unreal_packages::{Name, PackageIndex};

use crate::manifest;

/// What share of functions has no label at least.
const WITHOUT_LABELS: f64 = 0.8;

/// Names and literals of one piece of code that its text must have.
struct Words<'a> {
    package: &'a Package,
    found: Vec<String>,
    /// How often each temporary is assigned and used.
    temporaries: HashMap<String, [usize; 2]>,
}

/// `Health` of `Health_4_0B6B4A1D4C1F4E0B9C5E4B8B2B3C0C11`.
fn short(name: &str) -> &str {
    let parts = name.rsplit_once('_').filter(|(_, end)| end.len() == 32);
    parts.and_then(|(rest, _)| rest.rsplit_once('_')).map_or(name, |(short, _)| short)
}

impl Words<'_> {
    fn property(&self, whole: &ScriptExpression) -> Option<String> {
        whole.items().find_map(|item| match item {
            ScriptItem::Property(property) => Some(match property.path.first() {
                Some(name) => self.package.name_text(*name),
                None => self.package.object_name(property.owner),
            }),
            _ => None,
        })
    }

    fn take(&mut self, whole: &ScriptExpression, is_assigned: bool) {
        // Where events go in.
        if whole.name == "ComputedJump" {
            return;
        }
        let is_let = whole.name.starts_with("Let") && whole.name != "LetValueOnPersistentFrame";
        for (at, inner) in whole.expressions().enumerate() {
            self.take(inner, is_let && at == 0);
        }
        match whole.name {
            name if name.ends_with("Variable") => {
                let Some(name) = self.property(whole) else { return };
                let starts = ["CallFunc_", "K2Node_", "Temp_"];
                match whole.name == "LocalVariable"
                    && starts.iter().any(|start| name.starts_with(start))
                {
                    true => {
                        self.temporaries.entry(name).or_default()[usize::from(is_assigned)] += 1
                    }
                    false => self.found.push(name),
                }
            }
            "StructMemberContext" => self.found.extend(self.property(whole)),
            name if name.ends_with("Function") || name == "CallMath" => {
                for item in whole.items() {
                    match item {
                        ScriptItem::Name(name) => self.found.push(self.package.name_text(*name)),
                        ScriptItem::Object(index) => {
                            let library = self.package.object_name(self.package.outer(*index));
                            // Operators stand for their functions.
                            if !library.starts_with("Kismet") {
                                self.found.push(self.package.object_name(*index));
                            }
                        }
                        _ => {}
                    }
                }
            }
            "DynamicCast" | "MetaCast" | "ObjToInterfaceCast" | "ObjectConst" | "StructConst" => {
                for item in whole.items() {
                    let ScriptItem::Object(index) = item else { continue };
                    let name = self.package.object_name(*index);
                    if !name.starts_with("Default__Kismet") {
                        self.found.push(name.trim_start_matches("Default__").to_owned());
                    }
                }
            }
            "IntConst" | "FloatConst" | "StringConst" | "UnicodeStringConst" | "ByteConst"
            | "IntConstByte" | "Int64Const" | "DoubleConst" | "VectorConst" | "RotationConst" => {
                for item in whole.items() {
                    self.found.push(match item {
                        ScriptItem::Real(value) => format!("{:?}", value.value()),
                        item => operand_text(self.package, item),
                    });
                }
            }
            "NameConst" | "InstanceDelegate" | "BindDelegate" => {
                for item in whole.items() {
                    let ScriptItem::Name(name) = item else { continue };
                    self.found.push(self.package.name_text(*name));
                }
            }
            _ => {}
        }
    }
}

/// Whether every bracket outside of quotes is closed by its own, and every line ends as a statement does.
fn is_well_formed(text: &str) -> Result<(), String> {
    let mut open = Vec::new();
    for line in text.lines() {
        let (mut quote, mut is_escaped) = (None, false);
        for c in line.chars() {
            match (quote, c) {
                (Some(_), _) if is_escaped => is_escaped = false,
                (Some(_), '\\') => is_escaped = true,
                (Some(mark), c) if c == mark => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '(' | '{' | '[') => open.push(c),
                (None, ')' | '}' | ']') => {
                    let pair = [open.pop().unwrap_or(' '), c].iter().collect::<String>();
                    if !["()", "{}", "[]"].contains(&pair.as_str()) {
                        return Err(format!("'{c}' closes nothing: {line}"));
                    }
                }
                _ => {}
            }
        }
        let code = line.trim();
        let starts = [
            "class ", "defaults", "if (", "while (", "sequence", "resume", "else", "public ",
            "event ",
        ];
        let is_head = starts.iter().any(|start| code.starts_with(start))
            || code.ends_with(')') && code.contains(" function ")
            || code.starts_with("function ")
            || code.contains(" event ");
        let ends = code.is_empty() || code.ends_with([';', '{', '}', ':']);
        let is_empty = code == ";" || code.contains("= ;") || code.contains("(, ");
        if quote.is_some() || is_empty || !ends && !is_head {
            return Err(format!("no statement: {line}"));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} is not closed")) }
}

#[derive(Debug, Default)]
struct Tally {
    packages: usize,
    functions: usize,
    events: usize,
    words: usize,
    labelled: Vec<String>,
    missing: Vec<String>,
}

fn check(name: &str, package: &Package, tally: &mut Tally) {
    let decompiler = Decompiler::new(package);
    let before = tally.functions;
    for row in 0..package.exports().len() {
        let place = || format!("{name} {}", package.exports().path(row));
        if let Some(text) = decompiler.class(row).unwrap()
            && let Err(error) = is_well_formed(&text)
        {
            tally.missing.push(format!("{}: {error}", place()));
        }
        let decoded = package.decoded(row).unwrap();
        let Some(code) = decoded.body.native.code().filter(|code| code.items.len() > 1) else {
            continue;
        };
        let none = |name: &Name| package.name_text(*name).eq_ignore_ascii_case("None");
        let tree = statements(&code.items, package.versions(), none).unwrap();
        let Ok(text) = decompiler.function(row) else {
            assert!(!package.exports().get(row).unwrap().class().ends_with("Function"));
            continue;
        };
        if let Err(error) = is_well_formed(&text) {
            tally.missing.push(format!("{}: {error}", place()));
        }
        tally.functions += 1;
        if text.contains("goto ") {
            tally.labelled.push(place());
        }
        let index = PackageIndex::export(row);
        if text.lines().next().unwrap().contains("event ")
            && !package.object_name(index).starts_with("ExecuteUbergraph_")
        {
            // Its code is the event graph's.
            tally.events += 1;
            continue;
        }
        let mut words = Words { package, found: Vec::new(), temporaries: HashMap::new() };
        tree.iter().for_each(|statement| words.take(statement, false));
        let Words { mut found, temporaries, .. } = words;
        // What is assigned and used once is folded; events have the frame's variables as parameters.
        let stays = |(name, counts): (String, [usize; 2])| {
            (counts != [1, 1] && !name.contains("Event_")).then_some(name)
        };
        found.extend(temporaries.into_iter().filter_map(stays));
        tally.words += found.len();
        for word in found {
            if !text.contains(short(&word)) {
                tally.missing.push(format!("{}: {word}", place()));
            }
        }
    }
    tally.packages += usize::from(tally.functions > before);
}

pub fn blueprints_are_pseudo_code_that_leaves_nothing_out() {
    let mut tally = Tally::default();
    for entry in manifest::packages() {
        let Ok(mut package) = entry.options_with_mappings().open(&entry.path) else { continue };
        package.decode_all();
        check(entry.name(), &package, &mut tally);
    }
    let Tally { packages, functions, events, words, labelled, missing } = tally;
    println!(
        "{packages} packages, {functions} functions, {events} of them events of a graph, {words} names and literals; \
         {} with labels: {labelled:#?}",
        labelled.len()
    );
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(packages > 50 && functions > 300, "{packages} packages, {functions} functions");
    let without = (functions - labelled.len()) as f64;
    assert!(without >= WITHOUT_LABELS * functions as f64, "{labelled:#?}");
}
