//! From class files to a package.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::compile::{
    ClassDeclarations, ClassId, Compiler, CompilerDialect, Diagnostic, Macros, SymbolId, Symbols,
};
use crate::error::{Error, Result, UnrealErrors};
use crate::generate::Profile;
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::package::{Package, SaveOptions};
use crate::primitive::{Guid, NameFlags, ObjectRef, PackageFlags, PackageIndex};
use crate::table::Summary;
use crate::version::{Engine, Game, UnrealVersions};

use super::compile_order::compile_order;
use super::declare::{ClassMaker, EnumPaths};
use super::defaults::{KnownValues, ValueRules};
use super::depends;
use super::draft::PackageDraft;
use super::exec::ExecLine;
use super::exec_mesh;
use super::facts::KnownFacts;
use super::finish::{self, RowPlaces};
use super::former::FormerPackage;
use super::like::Like;
use super::named::{NamedObject, NamedObjects};
use super::order::{Pivot, Usage, sorted};
use super::own_content::add_content;
use super::text::{ClassSource, text_crc};

/// Makes a package from class files.
///
/// Spec: ue1-3/16.
#[derive(Debug, Clone)]
pub struct Maker {
    pub(super) name: String,
    pub(super) profile: Profile,
    pub(super) sources: Vec<ClassSource>,
    pub(super) symbols: Symbols,
    pub(super) facts: KnownFacts,
    pub(super) objects: NamedObjects,
    pub(super) dialect: CompilerDialect,
    pub(super) rules: ValueRules,
    macros: Macros,
    pub(super) like: Option<Package>,
    pub(super) guid: Option<Guid>,
    pub(super) flags: PackageFlags,
    /// What objects of the older package depend on, by path in small letters.
    depended: HashSet<String>,
    /// Whether tables are ordered as if there were no older package.
    orders_anew: bool,
    pub(super) content: Vec<Package>,
    /// What `#exec` lines could not import, with the name of what it is.
    pub(super) import_problems: Vec<(Option<String>, Diagnostic)>,
}

/// The flag of packages of UE3 with classes.
const CONTAINS_SCRIPT: u32 = 0x20_0000;
/// The flag of native classes of UE3.
const NATIVE_CLASS: u32 = 0x80;

/// A package that was made, and what there is to say about it.
#[derive(Debug, Clone)]
pub struct MadePackage {
    /// The package, opened from its bytes; `None` where the sources have errors.
    pub package: Option<Package>,
    /// Errors and warnings, file by file.
    pub diagnostics: Vec<Diagnostic>,
}

impl Maker {
    /// A package of this name, as a game has them.
    pub fn new(name: impl Into<String>, profile: Profile) -> Self {
        let closes_enums = !matches!(profile.versions().engine(), Engine::Ue1 | Engine::Ue2);
        let flags = profile.flags;
        let dialect = CompilerDialect::of(&profile.versions());
        Self {
            name: name.into(),
            profile,
            sources: Vec::new(),
            symbols: Symbols::new(closes_enums),
            facts: KnownFacts::default(),
            objects: NamedObjects::default(),
            dialect,
            rules: ValueRules::default(),
            macros: Macros::default(),
            like: None,
            guid: None,
            flags,
            depended: HashSet::new(),
            orders_anew: false,
            content: Vec::new(),
            import_problems: Vec::new(),
        }
    }

    /// A package of this name, as a game's compiler makes it.
    pub fn for_game(name: impl Into<String>, compiler: &super::GameCompiler) -> Self {
        let mut maker = Self::new(name, compiler.profile.clone());
        maker.dialect = compiler.dialect();
        maker.rules.stores_zeros = compiler.is_patch_469;
        maker
    }

    /// The macros that class files of UE3 start with: before these are added.
    pub fn macros(&mut self, macros: Macros) {
        self.macros = macros;
    }

    /// Adds a class file; the order of the files is that of the classes.
    pub fn source(&mut self, file: &str, text: &str) {
        let source = match self.profile.versions().engine() {
            Engine::Ue1 | Engine::Ue2 => ClassSource::of(file, text),
            _ => ClassSource::of_ue3(file, text, &self.macros),
        };
        self.sources.push(source);
    }

    /// Adds a package that the sources build on, under its name.
    ///
    /// # Errors
    /// The reason for which its classes can't be read.
    pub fn environment(&mut self, name: &str, package: &Package) -> Result<()> {
        for declared in ClassDeclarations::of_package(package) {
            self.symbols.add(name, Arc::new(declared));
        }
        self.facts.add(package);
        self.named_content(name, package);
        Ok(())
    }

    /// Adds the objects of a package that texts may name.
    pub(super) fn named_content(&mut self, name: &str, package: &Package) {
        for (row, export) in package.tables().exports.iter().enumerate() {
            let class = package.object_name(export.class_index);
            let is_content = !export.class_index.is_null()
                && ScriptObject::blank(&class).is_none()
                && !class.eq_ignore_ascii_case("TextBuffer");
            if is_content {
                let (mut classes, mut at) = (Vec::new(), PackageIndex::export(row));
                while let ObjectRef::Export(row) = at.target() {
                    let Some(export) = package.exports().get(row).filter(|_| classes.len() < 64)
                    else {
                        break;
                    };
                    let class = export.class();
                    let own = || format!("{name}.{class}");
                    let is_own =
                        matches!(export.entry().class_index.target(), ObjectRef::Export(_));
                    classes.push(if is_own { own() } else { class.clone() });
                    at = export.entry().outer_index;
                }
                classes.push("Core.Package".to_owned());
                classes.reverse();
                let path = format!("{name}.{}", package.path(PackageIndex::export(row)));
                self.objects.add(NamedObject { path, classes });
            }
        }
    }

    /// Adds what a class of another package declares. What was added first counts.
    pub fn declarations(&mut self, package: &str, declared: Arc<ClassDeclarations>) {
        if self.symbols.find_class(&declared.name).is_none() {
            self.symbols.add(package, declared);
        }
    }

    /// Adds a class of another package by its text: what it declares, its code apart. What was added first counts.
    pub fn environment_text(&mut self, package: &str, file: &str, text: &str) {
        let source = ClassSource::of(file, text);
        let Some(declared) = ClassDeclarations::of(source.syntax.clone()) else { return };
        let name = declared.name.clone();
        if self.symbols.find_class(&name).is_some() {
            return;
        }
        self.symbols.add(package, Arc::new(declared));
        if self.facts.class(&name).is_none() {
            self.facts.add_text(&name, &source);
        }
    }

    /// Whether every element of a class's own variables is stored, zero too, as UT's patch 469 does.
    pub fn stores_zeros(&mut self, stores_zeros: bool) {
        self.rules.stores_zeros = stores_zeros;
    }

    /// The compiler, where it is not the usual one of the versions.
    pub fn dialect(&mut self, dialect: CompilerDialect) {
        self.dialect = dialect;
    }

    /// Takes the order of the tables and what stands in the header from this package.
    pub fn like(&mut self, package: Package) {
        self.known_by_name(&package);
        self.flags = package.summary().package_flags;
        if let Some(name) = own_name(&package) {
            self.name = name;
        }
        if package.versions().engine() >= Engine::Ue3 {
            let mut package = package.clone();
            package.decode_all();
            let usage = Usage::of(&package);
            let imports: Vec<usize> = (0..package.imports().len()).collect();
            let used = used_names(&package, &usage, &imports);
            let mut unused =
                (0..package.names().len()).filter(|row| used.binary_search(row).is_err());
            // The name that nothing else uses is its own.
            if let (Some(row), None) = (unused.next(), unused.next())
                && let Some(name) = package.names().get(row)
            {
                self.name = name.into_owned();
            }
            self.depended = package
                .tables()
                .depends
                .iter()
                .flat_map(|row| &row.objects)
                .map(|index| package.path(*index).to_lowercase())
                .collect();
        }
        self.guid = Some(package.guid());
        self.like = Some(package);
    }

    /// Classes that nobody declares are known by the names that a package has for them at least, objects by paths.
    pub(super) fn known_by_name(&mut self, package: &Package) {
        for row in 0..package.imports().len() {
            let index = PackageIndex::import(row);
            let is_class = package.tables().imports.get(row).is_some_and(|import| {
                package.name_text(import.class_name).eq_ignore_ascii_case("Class")
            });
            let path = package.path(index);
            self.objects
                .add(NamedObject { classes: classes_of(package, index), path: path.clone() });
            let Some((outer, name)) = path.split_once('.').filter(|_| is_class) else { continue };
            if self.symbols.find_class(name).is_none() {
                self.symbols.add(outer, Arc::new(ClassDeclarations::new(name, None)));
            }
        }
    }

    /// Takes no order of tables from the older package: what the compiler itself would make of them.
    #[doc(hidden)]
    pub fn order_anew(&mut self) {
        self.orders_anew = true;
    }

    /// The GUID, instead of a random one.
    pub fn guid(&mut self, guid: Guid) {
        self.guid = Some(guid);
    }

    /// The flags of the package.
    pub fn flags(&mut self, flags: PackageFlags) {
        self.flags = flags;
    }

    /// Compiles the sources and makes no package.
    ///
    /// # Errors
    /// As [`Maker::make`], but for what only making a package needs.
    pub fn check(self) -> Result<Vec<Diagnostic>> {
        Ok(self.run(false)?.diagnostics)
    }

    /// Makes the package.
    ///
    /// # Errors
    /// What can't be saved; `Unsupported` for SWAT 4, where the package would lack headers of objects. What is wrong
    /// with the sources is no error: [`MadePackage::diagnostics`] says it.
    pub fn make(self) -> Result<MadePackage> {
        self.run(true)
    }

    fn run(mut self, makes: bool) -> Result<MadePackage> {
        let mut diagnostics: Vec<Diagnostic> =
            self.sources.iter_mut().flat_map(|it| std::mem::take(&mut it.diagnostics)).collect();
        if self.symbols.find_class("Object").is_none()
            && !self.sources.iter().any(|it| it.name().eq_ignore_ascii_case("Object"))
        {
            // Without any package around, classes have at least one to extend.
            self.symbols.add("Core", Arc::new(ClassDeclarations::new("Object", None)));
        }
        let mut classes = Vec::new();
        let mut enums = EnumPaths::default();
        for (at, source) in self.sources.iter().enumerate() {
            let Some(declared) = ClassDeclarations::of(source.syntax.clone()) else { continue };
            let class = self.symbols.add_own(&self.name, Arc::new(declared));
            enums.add(class, source);
            classes.push((at, class));
        }
        let mut draft = PackageDraft::new(self.profile.versions().clone());
        draft.import(&[("Core", "Core.Package"), ("Class", "Core.Class")]);
        let own = self.name.clone();
        let like = self.like.as_ref().map(Like::of);
        if let Some(like) = &like {
            for name in like.spelling() {
                draft.name(name);
            }
        }
        draft.name(&own);
        let text_crcs: HashMap<ClassId, u32> = classes
            .iter()
            .map(|(at, class)| (*class, text_crc(self.sources[*at].script_text())))
            .collect();
        let former = self.like.as_ref().map(FormerPackage::of);
        if former.as_ref().is_some_and(|former| former.stores_zeros) {
            self.rules.stores_zeros = true;
        }
        if let Some(former) = &former {
            let classes = classes.iter().map(|it| it.1);
            self.dialect = likely_dialect(&self.symbols, former, &self.dialect, classes);
        }
        let mut declarer = ClassMaker {
            draft: &mut draft,
            symbols: &self.symbols,
            facts: &mut self.facts,
            enums: &enums,
            text_crcs: &text_crcs,
            former: former.as_ref(),
            objects: &self.objects,
            package: &self.name,
        };
        for (at, _) in &classes {
            declarer.import_class(&self.sources[*at]);
        }
        for package in &self.content {
            add_content(declarer.draft, package)?;
        }
        let is_ue3 = self.profile.versions().engine() >= Engine::Ue3;
        let order = compile_order(&classes, &self.symbols, is_ue3);
        for (at, class) in &order {
            declarer.declare(&self.sources[*at], *class);
        }
        let compiler = Compiler::new(&self.symbols, &self.dialect);
        for (at, class) in &order {
            declarer.compile(&compiler, &self.sources[*at], *class, &mut diagnostics);
        }
        let (mut known, rules) = (KnownValues::default(), self.rules);
        // Once more, since structs hold others that stand behind them.
        for said in [&mut Vec::new(), &mut diagnostics] {
            for (at, class) in &order {
                declarer.struct_values(&self.sources[*at], *class, said);
            }
        }
        for (at, class) in &order {
            let source = &self.sources[*at];
            declarer.defaults(source, *class, &mut known, rules, &mut diagnostics);
        }
        declarer.meta_data();
        diagnostics.extend(self.missing_content(&draft));
        diagnostics.sort_by_key(|it| !it.is_error());
        if !makes || diagnostics.iter().any(Diagnostic::is_error) {
            return Ok(MadePackage { package: None, diagnostics });
        }
        if self.profile.versions().game() == Game::Swat4 {
            return Err(Error::unsupported(
                "sources of SWAT 4 are checked (--check), and no package is written yet: it would lack headers of objects",
            ));
        }
        let package = self.finish(&draft, like.as_ref())?;
        Ok(MadePackage { package: Some(package), diagnostics })
    }

    /// Whether a class of another package is native, as far as anything at hand says it.
    fn is_native(&self, path: &str) -> bool {
        let name = path.rsplit('.').next().unwrap_or(path);
        match self.facts.class(name).filter(|facts| !facts.is_partial) {
            Some(facts) => facts.flags & NATIVE_CLASS != 0,
            None => !self.depended.contains(&path.to_lowercase()),
        }
    }

    /// A warning for each line that imports what is not there.
    fn missing_content(&self, draft: &PackageDraft) -> Vec<Diagnostic> {
        let sources = self.sources.iter().flat_map(|source| ExecLine::all(&source.syntax));
        let lines: Vec<ExecLine> = sources.collect();
        let is_there = |name: &Option<String>| {
            name.as_ref().is_some_and(|name| {
                // What is said of a map is said of its mesh.
                let mesh = exec_mesh::mesh_of(name, &lines).unwrap_or(name);
                draft.content_named("Object", mesh).is_some()
            })
        };
        let problems = self.import_problems.iter().filter(|(name, _)| !is_there(name));
        let mut all: Vec<Diagnostic> = problems.map(|(_, warning)| warning.clone()).collect();
        for source in &self.sources {
            for line in ExecLine::all(&source.syntax) {
                let name = line.name();
                let is_told = self.import_problems.iter().any(|(known, _)| *known == name);
                if !is_told && !is_there(&name) && !line.is_load() {
                    let message =
                        "this line imports nothing: such content is not made from sources";
                    let hint = "--content takes it from an older package".to_owned();
                    all.push(line.warning(&source.syntax, message.to_owned(), Some(hint)));
                }
            }
        }
        all
    }

    fn finish(&self, draft: &PackageDraft, like: Option<&Like>) -> Result<Package> {
        let missing = (0..draft.objects.len()).find(|row| !draft.created.contains(row));
        if let Some(row) = missing {
            let name = draft.text(draft.objects[row].name);
            return Err(Error::invalid(format!("'{name}' is used and never declared")));
        }
        let flags = |text: &str| {
            like.and_then(|like| like.name_flags(text))
                .unwrap_or_else(|| NameFlags::ordinary(draft.versions()))
        };
        let mut all = RowPlaces::of_draft(draft);
        let first = finish::package(draft, &all, &self.profile, &flags)?;
        let usage = Usage::of(&first);
        // What was asked about and then not used.
        let used_imports = used_imports(&first, &usage);
        all.imports.retain(|row| used_imports.get(*row).copied().unwrap_or(false));
        let mut used = used_names(&first, &usage, &all.imports);
        if self.profile.versions().engine() >= Engine::Ue3 {
            // Its own name has a row there as well.
            let own = draft.names().iter().position(|it| it.eq_ignore_ascii_case(&self.name));
            used.extend(own.filter(|row| !used.contains(row)));
        }
        let places = match like.filter(|_| !self.orders_anew) {
            Some(like) => like.places(draft, &RowPlaces { names: used, ..all }),
            None if self.profile.versions().engine() >= Engine::Ue3 => {
                let all = RowPlaces { names: used, ..all };
                finish::sorted_places(draft, &all, &self.profile, &flags)?
            }
            None => {
                let names = sorted(used, Pivot::Median, |row| usage.names[*row]);
                let imports = sorted(all.imports.clone(), Pivot::Median, |row| usage.imports[*row]);
                let rows: Vec<usize> = (0..all.exports.len()).collect();
                let exports = sorted(rows, Pivot::Median, |row| usage.exports[*row]);
                let exports = exports.into_iter().map(|row| all.exports[row]).collect();
                RowPlaces { names, imports, exports }
            }
        };
        let mut package = finish::package(draft, &places, &self.profile, &flags)?;
        if self.profile.versions().engine() >= Engine::Ue3 {
            let rows = depends::depends(&package, &|class| self.is_native(class));
            package.parts_mut().tables.depends = rows;
            let tables = package.parts_mut().tables;
            let exports = i32::try_from(tables.exports.len()).unwrap_or(i32::MAX);
            if let Some(generation) = tables.summary.generations.last_mut() {
                generation.net_object_count = exports;
            }
        }
        let summary = &mut package.parts_mut().tables.summary;
        summary.package_flags = self.flags;
        if self.profile.versions().engine() >= Engine::Ue3 {
            summary.package_flags.0 |= CONTAINS_SCRIPT;
            summary.package_source = text_crc(&self.name.to_uppercase());
        }
        summary.guid = self.guid.unwrap_or(summary.guid);
        if let Some(like) = &self.like {
            take_header(summary, like.summary());
        }
        let saved = package.save(&SaveOptions::new())?;
        Package::from_bytes(saved.bytes)
    }
}

/// The compiler that made an older package: the one whose code is as long as it has it for most functions.
///
/// Spec: ue1-3/15 §15.13.
pub(super) fn likely_dialect(
    symbols: &Symbols,
    former: &FormerPackage,
    usual: &CompilerDialect,
    classes: impl Iterator<Item = ClassId> + Clone,
) -> CompilerDialect {
    let versions = &usual.versions;
    let others = match versions.engine() {
        Engine::Ue1 => {
            vec![CompilerDialect::patch_469(versions), CompilerDialect::unreal_227(versions)]
        }
        Engine::Ue2 => Vec::new(),
        _ => vec![usual.clone().with_debug_marks(!usual.has_debug_marks)],
    };
    let score = |dialect: &CompilerDialect| {
        let compiler = Compiler::new(symbols, dialect);
        let functions = classes.clone().flat_map(|class| {
            let count = symbols.class(class).functions.len();
            (0..count)
                .filter_map(move |row| Some(SymbolId { class, row: u32::try_from(row).ok()? }))
        });
        let is_same = |id: &SymbolId| {
            let size = former.code_sizes.get(&symbols.function_path(*id).to_lowercase());
            let code = size.and_then(|_| compiler.function(*id));
            code.is_some_and(|code| size == Some(&u64::from(code.memory_size)))
        };
        functions.filter(is_same).count()
    };
    let mut best = (usual.clone(), score(usual));
    for other in others {
        let found = score(&other);
        if found > best.1 {
            best = (other, found);
        }
    }
    best.0
}

/// The name under which a package was made, as its classes say it.
fn own_name(package: &Package) -> Option<String> {
    (0..package.exports().len()).find_map(|row| {
        let class = package.decode(row).ok()?;
        let Native::Script(object) = &class.body.native else { return None };
        let ScriptObject::Class(class) = &**object else { return None };
        class.package_imports.first().map(|name| package.name_text(*name))
    })
}

/// Takes the fields of a header that do not follow from the package.
fn take_header(summary: &mut Summary, like: &Summary) {
    summary.engine_version = like.engine_version;
    summary.cooker_version = like.cooker_version;
    summary.package_source = like.package_source;
}

/// Which imports something uses, and what lies around these.
fn used_imports(package: &Package, usage: &Usage) -> Vec<bool> {
    let mut used: Vec<bool> = usage.imports.iter().map(|count| *count > 0).collect();
    for export in package.tables().exports.iter() {
        let indices = [export.class_index, export.super_index, export.outer_index];
        for index in indices.into_iter().chain([export.archetype_index]) {
            let mut at = index;
            while let ObjectRef::Import(row) = at.target() {
                match used.get_mut(row) {
                    Some(used) if !*used => *used = true,
                    _ => break,
                }
                at = package.outer(at);
            }
        }
    }
    used
}

/// The names that something uses, by their rows.
fn used_names(package: &Package, usage: &Usage, imports: &[usize]) -> Vec<usize> {
    let mut used: Vec<bool> = usage.names.iter().map(|count| *count > 0).collect();
    let mut mark = |name: crate::Name| {
        let row = usize::try_from(name.index.value()).ok();
        row.and_then(|row| used.get_mut(row)).into_iter().for_each(|it| *it = true);
    };
    for import in imports.iter().filter_map(|row| package.tables().imports.get(*row)) {
        [import.class_package, import.class_name, import.object_name]
            .into_iter()
            .for_each(&mut mark);
    }
    package.tables().exports.iter().for_each(|export| mark(export.object_name));
    (0..used.len()).filter(|row| used[*row]).collect()
}

/// The classes of an import and of what is around it, the outermost first.
fn classes_of(package: &Package, index: PackageIndex) -> Vec<String> {
    let (mut classes, mut at) = (Vec::new(), index);
    while let ObjectRef::Import(row) = at.target() {
        let Some(import) = package.tables().imports.get(row).filter(|_| classes.len() < 64) else {
            break;
        };
        let of = package.name_text(import.class_package);
        classes.push(format!("{of}.{}", package.name_text(import.class_name)));
        at = import.outer_index;
    }
    classes.reverse();
    classes
}
