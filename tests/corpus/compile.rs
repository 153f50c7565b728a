//! Classes that carry their authors' text: what the compiler makes of it is the code that is stored beside it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Read as _;
use std::sync::Arc;

use unreal_packages::Versions;
use unreal_packages::compile::syntax::SyntaxItem;
use unreal_packages::compile::{
    ClassDeclarations, ClassId, CodeItem, CodeObjectPath, CodeReference, CodeTables, CompiledCode,
    Compiler, CompilerDialect, DiagnosticKind, SymbolId, Symbols, parse,
};
use unreal_packages::decompile::Decompiler;
use unreal_packages::object::Native;
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::object::text::TextBuffer;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{Name, ObjectRef, PackageIndex};
use unreal_packages::script::ScriptItem;
use unreal_packages::version::{Engine, Game, UnrealVersions};

use crate::files;

/// The declarations of an engine's packages.
pub struct Environment {
    pub classes: Vec<(String, Arc<ClassDeclarations>)>,
}

/// Native classes that no text declares, and the classes above them.
const NATIVE_CLASSES: &str = "Viewport Player,Font Object,NetConnection Player,ChildConnection NetConnection,\
DemoRecConnection NetConnection,Level Object,LevelBase Object,Model Object,Mesh Object,LodMesh Mesh,\
SkeletalMesh LodMesh,Package Object,Field Object,Struct Field,State Struct,Class State,Function Struct,Enum Field,\
Const Field,Property Field,TextBuffer Object,Primitive Object,Polys Object,System Object,Language Object,\
Linker Object,LinkerLoad Linker,Animation Object,MeshAnimation Object,VertMesh LodMesh,StaticMesh Primitive,\
ConvexVolume Primitive,Client Object,Music Object,Sound Object,Palette Object,AudioSubsystem Subsystem,\
RenderDevice Subsystem,RenderBase Subsystem,NetDriver Subsystem,DemoRecDriver NetDriver,GameEngine Engine,\
EditorEngine Engine";

fn symbols_folder() -> std::path::PathBuf {
    crate::folders::corpus().join("../data/symbols")
}

/// A class of a table of declarations as text.
#[derive(Default)]
struct ClassText {
    head: String,
    body: String,
    structs: Vec<(String, String, String)>,
    members: HashMap<String, String>,
    states: Vec<(String, String)>,
    functions: HashMap<String, String>,
}

impl ClassText {
    fn structure(&self, path: &str) -> String {
        let mut out = String::new();
        for (outer, name, head) in self.structs.iter().filter(|it| it.0 == path) {
            let inner = format!("{outer}.{name}");
            let members = self.members.get(&inner).map_or("", String::as_str);
            let _ = writeln!(out, "struct {head} {{ {} {members} }};", self.structure(&inner));
        }
        out
    }

    fn text(&self, class: &str) -> String {
        let mut out = format!("{}{}{}", self.head, self.body, self.structure(class));
        out.push_str(self.members.get(class).map_or("", String::as_str));
        out.push_str(self.functions.get(class).map_or("", String::as_str));
        for (name, head) in &self.states {
            let functions = self.functions.get(&format!("{class}.{name}"));
            let _ = writeln!(out, "{head} {{ {} }}", functions.map_or("", String::as_str));
        }
        out
    }
}

fn function_text(columns: &[&str]) -> String {
    let column = |at: usize| columns.get(at).copied().unwrap_or_default();
    let (kind, name, native, precedence) = (column(0), column(3), column(4), column(5));
    let (result, parameters, words) = (column(6), column(7), column(8));
    let mut out = String::new();
    let mut coerce = "";
    for word in words.split_whitespace() {
        match word {
            "coerce" => coerce = "coerce ",
            "native" | "intrinsic" if !native.is_empty() => {
                let _ = write!(out, "{word}({native}) ");
            }
            "event" => {}
            word => {
                let _ = write!(out, "{word} ");
            }
        }
    }
    match kind {
        "operator" => {
            let precedence = if precedence.is_empty() { "0" } else { precedence };
            let _ = write!(out, "operator({precedence}) ");
        }
        kind => {
            let _ = write!(out, "{kind} ");
        }
    }
    let result = if result == "void" { "" } else { result };
    let _ = write!(out, "{coerce}{} {name}(", type_text(result));
    for (at, parameter) in parameters.split("; ").filter(|it| !it.is_empty()).enumerate() {
        let mut parts = parameter.split(':');
        let declared = parts.next().unwrap_or_default();
        let words: Vec<&str> = parts.collect();
        let (of, name) = declared.split_once(' ').unwrap_or((declared, "X"));
        let comma = if at > 0 { ", " } else { "" };
        let _ = write!(out, "{comma}{} {} {name}", words.join(" "), type_text(of));
    }
    out.push_str(");\n");
    out
}

fn type_text(of: &str) -> String {
    match of {
        "map" => "map<int,int>".to_owned(),
        _ => of.replace("array<>", "array").replace("delegate<>", "delegate"),
    }
}

impl Environment {
    pub fn of(file: &str) -> Self {
        let bytes = std::fs::read(symbols_folder().join(file)).unwrap();
        let mut table = Vec::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut table).unwrap();
        let table: String = table.into_iter().map(char::from).collect();
        let mut classes: Vec<(String, String, ClassText)> = Vec::new();
        let mut rows: HashMap<(String, String), usize> = HashMap::new();
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let column = |at: usize| columns.get(at).copied().unwrap_or_default();
            let (kind, package, owner, name) = (column(0), column(1), column(2), column(3));
            let class = owner.split('.').next().filter(|it| !it.is_empty()).unwrap_or(name);
            let key = (package.to_owned(), class.to_owned());
            let row = *rows.entry(key.clone()).or_insert_with(|| {
                classes.push((key.0, key.1, ClassText::default()));
                classes.len() - 1
            });
            let text = &mut classes[row].2;
            match kind {
                "class" | "interface" => {
                    let _ = write!(text.head, "{kind} {name}");
                    if !column(4).is_empty() {
                        let _ = write!(text.head, " extends {}", column(4));
                    }
                    if !column(5).is_empty() {
                        let _ = write!(text.head, " within {}", column(5));
                    }
                    if !column(6).is_empty() {
                        let _ = write!(text.head, " implements({})", column(6).replace(' ', ","));
                    }
                    text.head.push_str(";\n");
                }
                "const" => {
                    let _ = writeln!(text.body, "const {name} = {};", column(4));
                }
                "enum" => {
                    let _ =
                        writeln!(text.body, "enum {name} {{ {} }};", column(4).replace(' ', ", "));
                }
                "struct" => {
                    let head = match column(4) {
                        "" => name.to_owned(),
                        base => format!("{name} extends {base}"),
                    };
                    text.structs.push((owner.to_owned(), name.to_owned(), head));
                }
                // The table does not say what was declared there.
                "var" if matches!(column(4), "{" | "`") => {}
                "var" => {
                    let members = text.members.entry(owner.to_owned()).or_default();
                    let length = match column(5) {
                        "" => String::new(),
                        length => format!("[{length}]"),
                    };
                    let of = type_text(column(4));
                    let _ = writeln!(members, "var {} {of} {name}{length};", column(6));
                }
                "state" => {
                    let base = match column(4) {
                        "" => String::new(),
                        base => format!(" extends {base}"),
                    };
                    let head = format!("{} state {name}{base}", column(5));
                    text.states.push((name.to_owned(), head));
                }
                _ => {
                    let functions = text.functions.entry(owner.to_owned()).or_default();
                    functions.push_str(&function_text(&columns));
                }
            }
        }
        let declared = classes.into_iter().map(|(package, class, text)| {
            let text = text.text(&class);
            let parsed = parse(format!("{package}.{class}"), text);
            if let Some(error) = parsed.diagnostics.first() {
                println!("{file}: {error}");
            }
            (package, ClassDeclarations::of(Arc::new(parsed.syntax)).map(Arc::new))
        });
        let classes = declared.filter_map(|(package, it)| Some((package, it?))).collect();
        Self { classes }
    }

    fn symbols(&self, closes_enums: bool) -> Symbols {
        let mut symbols = Symbols::new(closes_enums);
        for (package, class) in &self.classes {
            symbols.add(package, class.clone());
        }
        for native in NATIVE_CLASSES.split(',') {
            let (name, base) = native.split_once(' ').unwrap();
            let class = ClassDeclarations::new(name, Some(base.to_owned()));
            symbols.add("", Arc::new(class));
        }
        symbols
    }
}

/// The tables of a package, by names and paths.
struct Tables<'a> {
    package: &'a Package,
    names: HashMap<String, i32>,
    paths: HashMap<String, Vec<PackageIndex>>,
    last: HashMap<String, Vec<PackageIndex>>,
}

impl<'a> Tables<'a> {
    fn of(package: &'a Package) -> Self {
        let mut names = HashMap::new();
        for row in 0..package.names().len() {
            let name = package.names().get(row).unwrap().to_ascii_lowercase();
            let row = i32::try_from(row).unwrap();
            // Of several that are none the last one counts (spec: ue1-3/05 §5.7).
            match name == "none" {
                true => drop(names.insert(name, row)),
                false => drop(names.entry(name).or_insert(row)),
            }
        }
        let (mut paths, mut last): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        let exports = (0..package.exports().len()).map(PackageIndex::export);
        let imports = (0..package.imports().len()).map(PackageIndex::import);
        for index in exports.chain(imports) {
            let path = package.path(index).to_ascii_lowercase();
            let path = match ObjectRef::Export(0) {
                _ if matches!(index.target(), ObjectRef::Import(_)) => {
                    path.split_once('.').map_or(String::new(), |(_, path)| path.to_owned())
                }
                _ => path,
            };
            let name = package.object_name(index).to_ascii_lowercase();
            paths.entry(path).or_default().push(index);
            last.entry(name).or_default().push(index);
        }
        Self { package, names, paths, last }
    }

    fn candidates(&self, path: &CodeObjectPath) -> &[PackageIndex] {
        let folded = path.path.to_ascii_lowercase();
        let found = match path.is_named {
            true => self.last.get(folded.rsplit('.').next().unwrap_or_default().trim()),
            false => self.paths.get(&folded),
        };
        found.map_or(&[], Vec::as_slice)
    }

    /// The class of a row.
    fn class_of(&self, index: PackageIndex) -> String {
        let class = match index.target() {
            ObjectRef::Export(row) => self.package.exports().get(row).map(|it| it.class()),
            ObjectRef::Import(row) => self.package.imports().get(row).map(|it| it.class()),
            ObjectRef::Null => None,
        };
        let class = class.unwrap_or_default();
        class.rsplit('.').next().unwrap_or_default().to_owned()
    }
}

impl CodeTables for Tables<'_> {
    fn name(&mut self, text: &str) -> Option<Name> {
        let folded = text.to_ascii_lowercase();
        let numbered = self.package.versions().file() >= 343;
        if let Some(row) = self.names.get(&folded) {
            return Some(Name::new(*row));
        }
        let (base, number) = folded.rsplit_once('_').filter(|_| numbered)?;
        let number: i32 = number.parse().ok()?;
        Some(Name::numbered(*self.names.get(base)?, number + 1))
    }

    fn object(&mut self, _: &CodeReference, path: &CodeObjectPath) -> Option<PackageIndex> {
        let mut all = self.candidates(path).to_vec();
        // Of several objects of a name that the text gives the class decides.
        let of_class = |it: &PackageIndex| self.class_of(*it).eq_ignore_ascii_case(&path.class);
        if path.is_named && all.iter().any(of_class) {
            all.retain(of_class);
        }
        let is_package = |it: &&PackageIndex| {
            let full = self.package.path(**it).to_ascii_lowercase();
            let folded = path.path.to_ascii_lowercase();
            match (&path.package, path.is_named) {
                (_, true) => full.ends_with(&folded),
                (Some(package), _) => {
                    full.starts_with(&format!("{}.", package.to_ascii_lowercase()))
                }
                (None, _) => false,
            }
        };
        let of_package = all.iter().find(is_package);
        let own = || all.iter().find(|it| matches!(it.target(), ObjectRef::Export(_)));
        of_package.or_else(own).or(all.first()).copied()
    }
}

/// What became of one object.
enum Verdict {
    Same,
    Missing(String),
    Differs(String),
}

#[derive(Default)]
struct Counts {
    same: usize,
    met: usize,
    missing: usize,
    differ: usize,
    by_kind: BTreeMap<&'static str, [usize; 2]>,
    reasons: BTreeMap<String, usize>,
    bytes: u64,
    /// How many have the line, the place in the text and the place of the table of labels that are stored, of how many.
    places: [usize; 2],
}

fn text_of(
    package: &Package,
    structure: &unreal_packages::object::script_object::Struct,
) -> Option<String> {
    let read = |index: PackageIndex| {
        let ObjectRef::Export(row) = index.target() else { return None };
        let text = package.decode(row).ok()?;
        let text = native_as::<TextBuffer>(&text.body)?.text.text(package.source()).ok()?;
        (text.trim().len() > 8).then(|| text.into_owned())
    };
    read(structure.processed_text).or_else(|| read(structure.script_text))
}

/// Whether a stored item is what was compiled.
fn is_same(stored: &ScriptItem, made: &ScriptItem, source: &[u8]) -> bool {
    match (stored, made) {
        (ScriptItem::Float(one), ScriptItem::Float(two)) => one.to_bits() == two.to_bits(),
        (ScriptItem::Text(one), ScriptItem::Text(two))
        | (ScriptItem::Wide(one), ScriptItem::Wide(two)) => {
            one.bytes(source).ok() == two.bytes(source).ok()
        }
        (one, two) => one == two,
    }
}

fn shown(package: &Package, item: Option<&ScriptItem>) -> String {
    match item {
        None => "nothing".to_owned(),
        Some(ScriptItem::Object(index)) => format!("Object({})", package.path(*index)),
        Some(ScriptItem::Name(name)) => format!("Name({})", package.name_text(*name)),
        Some(ScriptItem::Token(token)) => format!("{token:02x}"),
        Some(item) => format!("{item:?}"),
    }
}

fn judge(
    package: &Package,
    symbols: &Symbols,
    tables: &mut Tables<'_>,
    stored: &[ScriptItem],
    code: &CompiledCode,
    (texts, verbose): (Texts, Option<&str>),
) -> Verdict {
    if let Some(error) = code.diagnostics.iter().find(|it| it.is_error()) {
        if verbose.is_some() {
            println!("{error}");
        }
        let first = error.message.clone();
        return match error.kind {
            DiagnosticKind::UnknownName => Verdict::Missing(first),
            kind => Verdict::Differs(format!("{kind:?}: {first}")),
        };
    }
    let made = match code.link(symbols, tables) {
        Ok(script) => script.items,
        Err(missing) => return Verdict::Differs(format!("no rows: {missing:?}")),
    };
    // The text may name an object by its name alone: of several that have it any may be meant (spec: ue1-3/15 §15.1).
    let mut made = made;
    for ((one, two), item) in stored.iter().zip(&mut made).zip(&code.items) {
        if let (ScriptItem::Object(one), ScriptItem::Object(two)) = (one, &mut *two)
            && matches!(item, CodeItem::Object(CodeReference::Named(_)))
            && one != two
            && package.object_name(*one).eq_ignore_ascii_case(&package.object_name(*two))
        {
            *two = *one;
        }
    }
    // The line of an assertion is that of its text.
    if texts == Texts::Decompiled {
        for at in 1..stored.len().min(made.len()) {
            let is_assert = stored[at - 1].token() == Some(0x09);
            if let (true, ScriptItem::Word(one), ScriptItem::Word(two)) =
                (is_assert, &stored[at], &mut made[at])
            {
                *two = *one;
            }
        }
    }
    let pairs = || stored.iter().zip(&made);
    let first = pairs().position(|(one, two)| !is_same(one, two, package.source()));
    let first = first.or((stored.len() != made.len()).then_some(stored.len().min(made.len())));
    // A number that only says how far away the rest is differs last.
    let Some(first) = first else { return Verdict::Same };
    let is_distance = |at: usize| {
        matches!(stored.get(at), Some(ScriptItem::Label(_) | ScriptItem::Skip(_)))
            && matches!(made.get(at), Some(ScriptItem::Label(_) | ScriptItem::Skip(_)))
    };
    let real = pairs().enumerate().position(|(at, (one, two))| {
        at >= first && !is_same(one, two, package.source()) && !is_distance(at)
    });
    let at = real.unwrap_or(first);
    if let Some(place) = verbose {
        let show = |items: &[ScriptItem]| {
            let start = at.saturating_sub(8);
            let items = items.iter().enumerate().skip(start).take(24);
            let items = items.map(|(row, it)| {
                let mark = if row == at { ">>" } else { "" };
                format!("{mark}{}", shown(package, Some(it)))
            });
            items.collect::<Vec<_>>().join(" ")
        };
        println!("*** {place} at {at}\n  stored {}\n  made   {}", show(stored), show(&made));
    }
    let short = |item: Option<&ScriptItem>| {
        let text = shown(package, item);
        text.split('(').next().unwrap_or_default().to_owned()
            + if text.contains('(') { "(..)" } else { "" }
    };
    let reason = format!("stored {}, made {}", short(stored.get(at)), short(made.get(at)));
    Verdict::Differs(reason)
}

fn dialects(versions: &Versions, has_marks: bool) -> Vec<(&'static str, CompilerDialect)> {
    match versions.engine() {
        Engine::Ue1 => vec![
            ("UT 436", CompilerDialect::of(versions)),
            ("patch 469", CompilerDialect::patch_469(versions)),
            ("Unreal 227", CompilerDialect::unreal_227(versions)),
        ],
        _ => vec![("own", CompilerDialect::of(versions).with_debug_marks(has_marks))],
    }
}

pub fn group_of(package: &Package) -> &'static str {
    let versions = package.versions();
    let is_debug = package.summary().package_flags.0 & 0x40_0000 != 0;
    match versions.engine() {
        Engine::Ue1 => "UE1",
        Engine::Ue2 if versions.game() == Game::Swat4 => "SWAT 4",
        Engine::Ue2 => "UE2",
        _ if versions.file() < 600 => "UE3 530",
        _ if is_debug => "UE3 debug",
        _ => "UE3",
    }
}

/// The texts that code is compiled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texts {
    /// Those that classes carry.
    Carried,
    /// What the decompiler writes of them.
    Decompiled,
}

/// Judges all code of a package whose classes have such a text.
fn judge_package(
    name: &str,
    package: &Package,
    environment: &Environment,
    (texts, verbose): (Texts, bool),
) -> Option<Counts> {
    let versions = package.versions().clone();
    let mut own = Vec::new();
    let decompiler = Decompiler::new(package);
    let rows = 0..package.exports().len();
    for row in rows.clone() {
        let Ok(decoded) = package.decode(row) else { continue };
        let Native::Script(object) = &decoded.body.native else { continue };
        let ScriptObject::Class(class) = &**object else { continue };
        let text = match texts {
            Texts::Carried => text_of(package, &class.base.base),
            Texts::Decompiled => decompiler.class(row).ok().flatten(),
        };
        let Some(text) = text else { continue };
        let file = format!("{name}:{}", package.object_name(PackageIndex::export(row)));
        let parsed = parse(file, text);
        for error in parsed.diagnostics.iter().filter(|_| verbose) {
            println!("{error}");
        }
        own.extend(ClassDeclarations::of(Arc::new(parsed.syntax)).map(Arc::new));
    }
    if own.is_empty() {
        return None;
    }
    let is_debug = package.summary().package_flags.0 & 0x40_0000 != 0;
    let all = dialects(&versions, is_debug);
    let mut symbols = environment.symbols(all[0].1.closes_enums());
    let of_package = name.trim_end_matches(".u");
    let own: Vec<ClassId> = own.into_iter().map(|it| symbols.add_own(of_package, it)).collect();
    let mut functions: HashMap<String, SymbolId> = HashMap::new();
    let mut states: HashMap<String, SymbolId> = HashMap::new();
    let mut classes: HashMap<String, ClassId> = HashMap::new();
    for class in own {
        let declared = symbols.class(class);
        classes.insert(declared.name.to_ascii_lowercase(), class);
        for row in 0..u32::try_from(declared.functions.len()).unwrap() {
            let id = SymbolId { class, row };
            functions.insert(symbols.function_path(id).to_ascii_lowercase(), id);
        }
        for (row, state) in (0..).zip(&declared.states) {
            let path = format!("{}.{}", declared.name, state.name).to_ascii_lowercase();
            states.insert(path, SymbolId { class, row });
        }
    }
    let mut best: Option<Counts> = None;
    let mut tables = Tables::of(package);
    for (dialect_name, dialect) in &all {
        let compiler = Compiler::new(&symbols, dialect);
        let mut counts = Counts::default();
        for row in rows.clone() {
            let Ok(decoded) = package.decode(row) else { continue };
            let Native::Script(object) = &decoded.body.native else { continue };
            let Some(structure) = object.structure() else { continue };
            let path = package.path(PackageIndex::export(row)).to_ascii_lowercase();
            let path = path.trim_start_matches("default__");
            let (kind, code) = match &**object {
                ScriptObject::Function(_) => {
                    let id = functions.get(path);
                    let symbol = id.and_then(|id| symbols.function(*id));
                    let has_body = symbol.zip(id).is_some_and(|(symbol, id)| {
                        symbol.place.is_some_and(|(item, inner)| {
                            let syntax = symbols.class(id.class).syntax.as_ref().unwrap();
                            match (&syntax.items[item as usize], inner) {
                                (SyntaxItem::Function(it), _) => {
                                    it.body.is_some() && !it.is_native()
                                }
                                (SyntaxItem::State(it), Some(at)) => {
                                    it.functions[at as usize].body.is_some()
                                }
                                _ => false,
                            }
                        })
                    });
                    match id {
                        Some(id) if has_body => ("function", compiler.function(*id)),
                        Some(id) => ("bodiless", compiler.function(*id)),
                        None => ("ignored", ignored(&compiler, &symbols, &states, path)),
                    }
                }
                ScriptObject::State(_) => {
                    let Some(id) = states.get(path) else { continue };
                    ("state", compiler.state(*id))
                }
                ScriptObject::Class(_) => {
                    let Some(id) = classes.get(path) else { continue };
                    if structure.script.items.is_empty() {
                        continue;
                    }
                    ("replication", compiler.replication(*id))
                }
                _ => continue,
            };
            if structure.script.items.is_empty() {
                continue;
            }
            let Some(code) = code else { continue };
            counts.judge_places(
                &path_of(name, path),
                object,
                &code,
                verbose && texts == Texts::Carried,
            );
            let place = format!("{name} {dialect_name} {path}");
            let stored = &structure.script.items;
            let place = verbose.then_some(place.as_str());
            counts.met += 1;
            let by_kind = counts.by_kind.entry(kind).or_default();
            by_kind[1] += 1;
            match judge(package, &symbols, &mut tables, stored, &code, (texts, place)) {
                Verdict::Same => {
                    counts.same += 1;
                    by_kind[0] += 1;
                    counts.bytes += structure.script.memory_size(&versions);
                }
                Verdict::Missing(reason) => {
                    counts.missing += 1;
                    *counts.reasons.entry(format!("missing: {reason}")).or_default() += 1;
                }
                Verdict::Differs(reason) => {
                    counts.differ += 1;
                    *counts.reasons.entry(reason).or_default() += 1;
                }
            }
        }
        if best.as_ref().is_none_or(|best| counts.same > best.same) {
            best = Some(counts);
        }
    }
    best
}

fn path_of(name: &str, path: &str) -> String {
    format!("{name} {path}")
}

/// The code of an object that a state has for a function that it ignores.
fn ignored(
    compiler: &Compiler<'_>,
    symbols: &Symbols,
    states: &HashMap<String, SymbolId>,
    path: &str,
) -> Option<CompiledCode> {
    let (state, function) = path.rsplit_once('.')?;
    let state = *states.get(state)?;
    let symbol = symbols.state(state)?;
    let syntax = symbols.class(state.class).syntax.as_ref()?;
    let SyntaxItem::State(written) = syntax.items.get(symbol.item? as usize)? else { return None };
    let word = written.ignores.iter().find(|word| word.text.eq_ignore_ascii_case(function))?;
    let hidden = symbols.find_function(state.class, function)?;
    compiler.ignored(state, hidden, word.token)
}

/// Packages of other games and releases: what they are compiled against is not among the tables of declarations, or is
/// there in another version.
const OTHER_ENVIRONMENTS: [&str; 11] = [
    "121_29_PROUI.u",
    "123_30_LineageDeco.u",
    "126_0_Hiver.u",
    "530_0_MirrorsEdgeTweaksScripts.u",
    "68_0_DeusExe.u",
    "68_0_FemJC.u",
    "76_0_Hub3.u",
    "845_120_ResistanceFactionSCPFoundation.u",
    "867_0_SpeedrunHelper.OLScript",
    "UTServerAdmin_gen15.u",
    "enc_L2_LineageCreature.u",
];

/// How many objects must come out equal at least, by engine.
const LEAST: [(&str, usize); 5] =
    [("SWAT 4", 400), ("UE1", 9_000), ("UE2", 450), ("UE3", 1_500), ("UE3 debug", 1_190)];

/// The table of declarations of an engine's packages.
pub fn table_of(group: &str) -> &'static str {
    match group {
        "UE1" => "ut99-469d.tsv.gz",
        "UE2" => "ut2004.tsv.gz",
        "SWAT 4" => "swat4-sef.tsv.gz",
        "UE3 530" => "ut3.tsv.gz",
        _ => "udk-2012.tsv.gz",
    }
}

/// Whether the packages to compile against are there.
pub fn make() -> Result<(), String> {
    ["make", "wild/classic"].into_iter().try_for_each(crate::folders::has)
}

/// Whether the tables of declarations are there, beside the corpus.
pub fn tables_are_there() -> Result<(), String> {
    crate::folders::classic()?;
    match symbols_folder().is_dir() {
        true => Ok(()),
        false => Err(format!("{} is not there", symbols_folder().display())),
    }
}

impl Counts {
    fn judge_places(
        &mut self,
        name: &str,
        object: &ScriptObject,
        code: &CompiledCode,
        verbose: bool,
    ) {
        let Some(structure) = object.structure() else { return };
        let table = match object {
            ScriptObject::State(state) => Some(state.label_table_offset),
            _ => None,
        };
        let stored = (structure.line, structure.text_pos, table);
        let labels = table.map(|_| code.label_table.unwrap_or(u16::MAX));
        let made = (code.line, code.text_pos, labels);
        self.places[0] += usize::from(stored == made);
        self.places[1] += 1;
        if verbose && stored != made {
            println!("{name}: stored {stored:?}, made {made:?}");
        }
    }

    fn add(&mut self, other: Self) {
        self.same += other.same;
        self.met += other.met;
        self.missing += other.missing;
        self.differ += other.differ;
        self.bytes += other.bytes;
        self.places[0] += other.places[0];
        self.places[1] += other.places[1];
        for (kind, [same, met]) in other.by_kind {
            let all = self.by_kind.entry(kind).or_default();
            all[0] += same;
            all[1] += met;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    fn print(&self, group: &str) {
        let Self { same, met, missing, differ, bytes, .. } = self;
        println!(
            "{group}: {same} of {met} the same ({bytes} bytes), {missing} symbols missing, {differ} differ"
        );
        for (kind, [same, met]) in &self.by_kind {
            println!("    {kind}: {same} of {met}");
        }
        println!("    lines and places: {} of {}", self.places[0], self.places[1]);
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by(|one, two| two.1.cmp(one.1));
        for (reason, count) in reasons.iter().take(12) {
            println!("    {count} {}", reason.chars().take(160).collect::<String>());
        }
    }
}

/// UE1 to UE3 packages of the corpus.
fn each_package(mut each: impl FnMut(&str, &Package)) {
    for folder in ["classic", "conform", "make", "wild/classic"] {
        for (name, bytes) in files::of(folder) {
            if let Ok(package) = Package::from_bytes(bytes)
                && !package.versions().has_object_versions()
            {
                each(&name, &package);
            }
        }
    }
}

/// Counts of all packages by their groups; `None` where `COMPILE_ONLY` names one package alone, with all that differs.
/// What `is_other` is true of has its environment nowhere at hand.
fn judge_all(
    texts: Texts,
    is_other: impl Fn(&Package) -> bool,
) -> Option<BTreeMap<&'static str, Counts>> {
    let filter = std::env::var("COMPILE_ONLY").ok();
    let mut environments: HashMap<&str, Environment> = HashMap::new();
    let mut groups: BTreeMap<&'static str, Counts> = BTreeMap::new();
    each_package(|name, package| {
        if filter.as_ref().is_some_and(|it| !name.contains(it.as_str())) {
            return;
        }
        let mut group = group_of(package);
        let table = table_of(group);
        let environment = environments.entry(table).or_insert_with(|| Environment::of(table));
        let judged = judge_package(name, package, environment, (texts, filter.is_some()));
        let Some(counts) = judged else { return };
        if counts.missing + counts.differ > 0 {
            let Counts { same, met, missing, differ, .. } = &counts;
            println!(
                "{name}: {same} of {met} the same, {missing} symbols missing, {differ} differ"
            );
        }
        if OTHER_ENVIRONMENTS.contains(&name) || is_other(package) {
            group = "other environments";
        }
        groups.entry(group).or_default().add(counts);
    });
    groups.iter().for_each(|(group, counts)| counts.print(group));
    filter.is_none().then_some(groups)
}

/// What the compiler makes of the authors' text is what is stored.
pub fn compiled_text_is_the_stored_code() {
    let Some(groups) = judge_all(Texts::Carried, |_| false) else { return };
    for (group, least) in LEAST {
        let counts = &groups[group];
        assert!(counts.same >= least, "{group}: {} the same", counts.same);
        assert_eq!(counts.places[0], counts.places[1], "{group}: lines and places");
        // 99.8 % of those whose symbols are at hand.
        assert!(counts.differ * 500 <= counts.same, "{group}: {} differ", counts.differ);
    }
}

/// The declarations of compiled classes serve as well as those of their texts.
pub fn compiled_packages_are_compiled_against() {
    let mut classes = Vec::new();
    for (name, bytes) in files::of("make") {
        let of_package = name.split('_').next().unwrap_or_default().to_owned();
        if name != "Engine_gen36.u" {
            let package = Package::from_bytes(bytes).unwrap();
            let declared = ClassDeclarations::of_package(&package).into_iter();
            classes.extend(declared.map(|class| (of_package.clone(), Arc::new(class))));
        }
    }
    let environment = Environment { classes };
    let mut all = Counts::default();
    each_package(|name, package| {
        let is_other = OTHER_ENVIRONMENTS.contains(&name) || group_of(package) != "UE1";
        // These are what is compiled against.
        let is_known = ["Core_", "Engine_", "Editor_"].iter().any(|it| name.starts_with(it));
        let mut roots = (0..package.imports().len()).map(PackageIndex::import);
        let is_based = roots.all(|index| {
            let path = package.path(index).to_ascii_lowercase();
            matches!(path.split('.').next(), Some("core" | "engine"))
        });
        if is_other || is_known || !is_based {
            return;
        }
        if let Some(counts) = judge_package(name, package, &environment, (Texts::Carried, false)) {
            all.add(counts);
        }
    });
    all.print("against packages");
    assert!(all.same >= 100, "{} the same", all.same);
    assert!(all.differ * 500 <= all.same, "{} differ", all.differ);
}

/// What the decompiler writes compiles to the code that it was written of: the sharpest judge of its texts.
pub fn decompiled_text_is_compiled_to_the_code_that_it_is_of() {
    // What games of BioWare's are made of is nowhere at hand.
    let is_other = |package: &Package| {
        !matches!(package.versions().game(), Game::Mainline | Game::Ut2004 | Game::Swat4)
    };
    let Some(groups) = judge_all(Texts::Decompiled, is_other) else { return };
    // Marks of debug builds say places in the authors' texts.
    for group in ["SWAT 4", "UE1", "UE2", "UE3"] {
        let Counts { same, differ, .. } = &groups[group];
        assert!(*same >= LEAST_DECOMPILED, "{group}: {same} the same");
        assert!(differ * 100 <= (same + differ) * 2, "{group}: {differ} differ");
    }
}

/// How many objects of each engine must come out equal at least.
const LEAST_DECOMPILED: usize = 380;
