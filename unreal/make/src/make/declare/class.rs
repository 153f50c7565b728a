//! Classes themselves: flags, masks, lists, and what is replicated.

use crate::compile::ClassId;
use crate::compile::syntax::{ClassHeader, Function, Modifier, SyntaxItem};
use crate::language::WordOf;
use crate::object::Native;
use crate::object::script_object::{ClassDependency, ScriptObject};
use crate::object::text::TextBuffer;
use crate::primitive::{Encoding, FString, Map, PackageIndex};
use crate::property::PropertyList;
use crate::version::{Engine, UnrealVersions};

use super::super::facts::ClassFacts;
use super::super::named::import_named;
use super::super::text::{ClassSource, text_crc};
use super::class_maker::{ClassMaker, DeclaredIn};
use super::function::place;

/// Compiled and parsed.
const MADE: u32 = 0x12;
const ABSTRACT: u32 = 0x1;
const CONFIG: u32 = 0x4;
const TRANSIENT: u32 = 0x8;
const LOCALIZED: u32 = 0x20;
const SAFE_REPLACE: u32 = 0x40;
const NATIVE: u32 = 0x80;
const PLACEABLE: u32 = 0x200;
const PER_OBJECT_CONFIG: u32 = 0x400;
const EDIT_INLINE: u32 = 0x1000;
const COLLAPSE: u32 = 0x2000;
const INTERFACE: u32 = 0x4000;
const INSTANCED: u32 = 0x20_0000;
const HAS_COMPONENTS: u32 = 0x80_0000;
/// The state flag of classes of UE3 that have no automatic state of their own.
const AUTO_STATE: u32 = 2;

/// The bit of UE3 that components and materials hand down, of unknown meaning.
const HANDED_DOWN: u32 = 0x8000_0000;

/// Words with lists of categories, in the order in which classes store them (UE3).
const OTHER_LISTS: [&str; 4] =
    ["dontsortcategories", "autoexpandcategories", "autocollapsecategories", "classgroup"];

const NET_PROPERTY: u64 = 0x20;
const NET_FUNCTION: u32 = 0x40;
const RELIABLE: u32 = 0x80;

impl ClassMaker<'_> {
    /// Makes the object of a class and of its text, before anything that it declares.
    pub fn import_class(&mut self, source: &ClassSource) {
        let name = source.name().to_owned();
        let row = self.draft.create("Class", &name, PackageIndex::NULL);
        let path = format!("{name}.ScriptText");
        let class = PackageIndex::export(row);
        let text = self.draft.create("TextBuffer", &path, class);
        self.draft.objects[text].flags = self.flags(0x0034_0000);
        let former = self.former;
        let is_narrow = former.is_some_and(|it| it.narrow_texts.contains(&name.to_lowercase()));
        let buffer =
            TextBuffer { pos: 0, top: 0, text: stored_text(source.script_text(), is_narrow) };
        self.draft.objects[text].native = Native::Object(Box::new(buffer));
    }

    /// Fills a class, when all that it declares is there.
    pub(super) fn class(&mut self, source: &ClassSource, around: &DeclaredIn, row: usize) {
        let id = around.class;
        let name = around.name.clone();
        let above = self.symbols.base(id);
        let above_index = above.map_or(PackageIndex::NULL, |above| self.class_reference(above));
        self.set_super(row, above_index);
        let is_outside = above.is_some_and(|above| !self.symbols.is_own(above));
        let former = self.former.filter(|_| is_outside).and_then(|former| former.above(&name));
        let is_former = former.is_some();
        let mut above_facts = former.unwrap_or_else(|| {
            let above = above.and_then(|it| self.facts.class(&self.symbols.class(it).name));
            above.cloned().unwrap_or_default()
        });
        let Some(header) = source.syntax.class.clone() else { return };
        let words = || header.modifiers.iter().map(|it| it.word.text.as_str());
        let has = |word: &str| words().any(|it| it.eq_ignore_ascii_case(word));
        let (set, cleared) = self.word_flags(WordOf::Class, words(), &[]);
        let mut flags = MADE
            | (above_facts.flags & self.inherited())
            | u32::try_from(set).unwrap_or(0) & !CONFIG;
        flags &= !u32::try_from(cleared).unwrap_or(0);
        let is_native = has("native") || has("intrinsic");
        if self.is_ue3() {
            flags |= if is_native { NATIVE } else { 0 };
            flags |= if header.is_interface { INTERFACE | ABSTRACT } else { 0 };
        }
        flags |= self.value_flags(row);
        let config_name = match Modifier::find(&header.modifiers, "config") {
            Some(modifier) => {
                let named = modifier.arguments.as_ref().and_then(|it| it.first());
                named.cloned().unwrap_or_else(|| "System".to_owned())
            }
            None if above_facts.config_name.is_empty() => "None".to_owned(),
            None => above_facts.config_name.clone(),
        };
        let probes = above_facts.probe_mask | self.own_probes(source);
        let lists = || header.modifiers.iter().filter(|it| it.word.is("hidecategories"));
        if is_former {
            // Those of the class itself stand behind.
            let own: Vec<&String> = lists().flat_map(|it| it.arguments.iter().flatten()).collect();
            let is_own = |it: &String| own.iter().any(|own| own.eq_ignore_ascii_case(it));
            above_facts.hide_categories.retain(|it| !is_own(it));
        }
        let mut hidden = above_facts.hide_categories.clone();
        let lists = lists();
        for category in lists.flat_map(|it| it.arguments.iter().flatten()) {
            if self.is_ue3() || !hidden.iter().any(|it| it.eq_ignore_ascii_case(category)) {
                hidden.push(category.clone());
            }
        }
        let mut others = above_facts.other_categories.clone();
        if is_former && self.is_ue3() {
            // The older package has them all.
            let former = self.former.and_then(|former| former.facts.class(&name));
            hidden = former.map(|it| it.hide_categories.clone()).unwrap_or(hidden);
        } else {
            for (list, word) in others.iter_mut().zip(OTHER_LISTS) {
                let lists = header.modifiers.iter().filter(|it| it.word.is(word));
                list.extend(lists.flat_map(|it| it.arguments.iter().flatten()).cloned());
            }
        }
        let within = header.within.as_ref().and_then(|it| self.symbols.find_class(&it.text));
        let within = within.or_else(|| self.within_of(above));
        let crc = text_crc(source.script_text());
        let has_auto =
            self.has_auto_state(row) || above_facts.has_auto_state || self.is_auto_above(above);
        let force = self.forces_order(&header);
        let force = force || above_facts.forces_order;
        let facts = ClassFacts {
            other_categories: others.clone(),
            forces_order: force,
            flags,
            probe_mask: probes,
            config_name: config_name.clone(),
            within: None,
            has_auto_state: has_auto,
            components: Vec::new(),
            is_partial: false,
            hide_categories: hidden.clone(),
            text_crc: crc,
            arrays: None,
        };
        self.facts.set_class(&name, facts);
        let object_flags = if is_native { 0x040f_0004 } else { 0x000f_0004 };
        self.draft.objects[row].flags = self.flags(object_flags);
        let within = match within {
            Some(within) => self.class_reference(within),
            None => match self.symbols.find_class("Object").filter(|it| self.symbols.is_own(*it)) {
                Some(own) => self.class_reference(own),
                None => self.draft.import(&[("Core", "Core.Package"), ("Object", "Core.Class")]),
            },
        };
        let package_imports = self.package_imports(id);
        let text = self.draft.find("TextBuffer", &format!("{name}.ScriptText"));
        let text = text.map_or(PackageIndex::NULL, PackageIndex::export);
        let config_name = self.draft.name(&config_name);
        let hidden: Vec<_> = hidden.iter().map(|it| self.draft.name(it)).collect();
        let others =
            others.map(|list| -> Vec<_> { list.iter().map(|it| self.draft.name(it)).collect() });
        let native_name = Modifier::find(&header.modifiers, "native")
            .and_then(|it| it.arguments.as_ref()?.first())
            .map_or(FString::EMPTY, |name| {
                FString::ansi(name).unwrap_or_else(|| FString::new(name))
            });
        let none = self.draft.name("None");
        let (pos, line) = self.replication_place(source);
        let cpp_text = self.cpp_text_of_class(source, around);
        let interfaces = self.interfaces(&header, around);
        let functions = self.function_map(row);
        let own = PackageIndex::export(row);
        let mut dependencies = vec![
            ClassDependency { class: own, deep: 1, script_text_crc: crc },
            ClassDependency { class: above_index, deep: 1, script_text_crc: above_facts.text_crc },
        ];
        dependencies.extend(self.former_dependencies(&name));
        self.replicate(source, around);
        let overridden = self.class_functions(source, around);
        for (function, above) in overridden {
            self.set_super(function, above);
        }
        self.fill_struct(row, &name, (pos, line));
        let file = self.draft.versions().file();
        let (narrow, is_ue3) = (self.has_narrow_probes(), self.is_ue3());
        let Some(ScriptObject::Class(class)) = self.draft.script_mut(row) else { return };
        class.class_flags = flags;
        if file >= 62 {
            class.within = within;
            class.config_name = config_name.into();
        }
        if file < 208 {
            class.package_imports = package_imports;
        }
        match file {
            ..99 => {}
            99..540 => class.hide_categories_old = hidden,
            540.. => class.hide_categories = hidden,
        }
        if file >= 655 {
            class.dll_bind_name = none.into();
        }
        if file < 186 {
            class.dependencies = dependencies;
        }
        class.defaults = PropertyList::new(Vec::new(), none);
        match narrow {
            true => class.base.probe_mask = probes as u32,
            false => {
                class.base.probe_mask_64 = probes;
                class.base.ignore_mask = u64::MAX;
            }
        }
        class.base.label_table_offset = u16::MAX;
        if file >= 160 {
            class.base.func_map = Map(functions);
            class.base.state_flags = if has_auto { 0 } else { AUTO_STATE };
        }
        class.base.base.script_text = text;
        if is_ue3 {
            class.base.base.cpp_text = cpp_text;
            class.interfaces = interfaces;
            let [sorted, opened, closed, groups] = others;
            class.auto_expand_categories = opened;
            if file >= 603 {
                class.dont_sort_categories = sorted;
            }
            if file >= 749 {
                class.force_script_order = i32::from(force);
            }
            if file >= 671 {
                class.auto_collapse_categories = closed;
            }
            if file >= 789 {
                class.class_groups = groups;
            }
            if file >= 813 {
                class.native_class_name = native_name;
            }
        }
    }

    /// Classes whose members the code of a class used, as an older package has them.
    fn former_dependencies(&mut self, class: &str) -> Vec<ClassDependency> {
        let Some(former) = self.former else { return Vec::new() };
        let rows = former.dependencies(class).get(2..).unwrap_or_default();
        let mut dependencies = Vec::with_capacity(rows.len());
        for row in rows {
            let name = row.path.rsplit('.').next().unwrap_or_default();
            let Some(id) = self.symbols.find_class(name) else { continue };
            let crc = match self.symbols.is_own(id) {
                true => self.text_crcs.get(&id).copied().unwrap_or(row.crc),
                false => row.crc,
            };
            let class = self.class_reference(id);
            dependencies.push(ClassDependency { class, deep: row.deep, script_text_crc: crc });
        }
        dependencies
    }

    /// The flags that classes take over from the class above.
    fn inherited(&self) -> u32 {
        let all = CONFIG | TRANSIENT | LOCALIZED | PER_OBJECT_CONFIG;
        match self.engine() {
            Engine::Ue1 => all,
            Engine::Ue2 => all | SAFE_REPLACE | EDIT_INLINE | INSTANCED | PLACEABLE | COLLAPSE,
            _ => {
                all | EDIT_INLINE | INSTANCED | PLACEABLE | COLLAPSE | HAS_COMPONENTS | HANDED_DOWN
            }
        }
    }

    /// The flags that say what variables a class has: for ini files, for texts of languages.
    fn value_flags(&self, row: usize) -> u32 {
        let mut flags = 0;
        let class = PackageIndex::export(row);
        for object in self.draft.objects.iter().filter(|it| it.outer == class) {
            let Native::Script(object) = &object.native else { continue };
            let ScriptObject::Property(property) = &**object else { continue };
            if property.property_flags & 0x4_4000 != 0 {
                flags |= CONFIG;
            }
            if property.property_flags & 0x8000 != 0 {
                flags |= LOCALIZED;
            }
            if self.is_ue3() && property.property_flags & 0x8_0000 != 0 {
                flags |= HAS_COMPONENTS;
            }
        }
        flags
    }

    /// Whether variables stay as the text has them.
    pub(in crate::make) fn forces_order(&self, header: &ClassHeader) -> bool {
        let word = Modifier::find(&header.modifiers, "forcescriptorder");
        let value = word.and_then(|it| it.arguments.as_ref()?.first());
        value.is_some_and(|it| it.eq_ignore_ascii_case("true"))
    }

    /// Whether the text of a class above has a state that begins by itself.
    fn is_auto_above(&self, class: Option<ClassId>) -> bool {
        let mut chain = class.into_iter().flat_map(|class| self.symbols.chain(class));
        chain.any(|it| {
            let syntax = self.symbols.class(it).syntax.as_ref();
            syntax.is_some_and(|syntax| {
                syntax.items.iter().any(|item| match item {
                    SyntaxItem::State(state) => state.modifiers.iter().any(|it| it.word.is("auto")),
                    _ => false,
                })
            })
        })
    }

    fn own_probes(&self, source: &ClassSource) -> u64 {
        let functions = source.syntax.items.iter().filter_map(|item| match item {
            SyntaxItem::Function(function) => Some(&**function),
            _ => None,
        });
        functions.fold(0, |all, it: &Function| all | self.probe(it))
    }

    /// The class that objects of a class lie in, as it or one above it says.
    fn within_of(&self, class: Option<ClassId>) -> Option<ClassId> {
        let chain = class.into_iter().flat_map(|class| self.symbols.chain(class));
        let within = chain.filter_map(|it| self.symbols.class(it).within.as_deref());
        within.into_iter().next().and_then(|name| self.symbols.find_class(name))
    }

    /// The package, then those of the classes above, each once.
    fn package_imports(&mut self, class: ClassId) -> Vec<crate::Name> {
        let name = &self.symbols.class(class).name;
        let is_known = self.symbols.chain(class).all(|it| !self.symbols.package(it).is_empty())
            && self.symbols.is_complete(class);
        if let Some(former) = self.former.filter(|_| !is_known)
            && !former.package_imports(name).is_empty()
        {
            let names = former.package_imports(name).to_vec();
            return names.iter().map(|name| self.draft.name(name)).collect();
        }
        let mut names: Vec<String> = vec![self.package.to_owned()];
        for above in self.symbols.chain(class).skip(1) {
            let package = self.symbols.package(above);
            if !package.is_empty() && !names.iter().any(|it| it.eq_ignore_ascii_case(package)) {
                names.push(package.to_owned());
            }
        }
        names.iter().map(|name| self.draft.name(name)).collect()
    }

    /// Where the replication block begins; classes without one have no place.
    fn replication_place(&self, source: &ClassSource) -> (i32, i32) {
        let block = source.syntax.items.iter().find_map(|item| match item {
            SyntaxItem::Replication(block) => Some(block),
            _ => None,
        });
        match block {
            Some(block) => place(&source.syntax, source.syntax.token(block.open).end as usize),
            None => (-1, -1),
        }
    }

    /// Marks what is replicated.
    fn replicate(&mut self, source: &ClassSource, around: &DeclaredIn) {
        let blocks: Vec<_> = source
            .syntax
            .items
            .iter()
            .filter_map(|item| match item {
                SyntaxItem::Replication(block) => Some(block.conditions.clone()),
                _ => None,
            })
            .flatten()
            .collect();
        let is_ue3 = self.is_ue3();
        for condition in blocks {
            let reliable = if condition.is_reliable == Some(true) { RELIABLE } else { 0 };
            for word in &condition.names {
                let path = around.within(&word.text);
                let found = self.draft.objects.iter().position(|object| {
                    object.outer == around.object
                        && self.draft.text(object.name).eq_ignore_ascii_case(&word.text)
                        && matches!(
                            &object.native,
                            Native::Script(it) if matches!(**it, ScriptObject::Property(_) | ScriptObject::Function(_))
                        )
                });
                let Some(row) = found else { continue };
                match self.draft.script_mut(row) {
                    Some(ScriptObject::Property(property)) => {
                        property.property_flags |= NET_PROPERTY;
                    }
                    Some(ScriptObject::Function(function)) if !is_ue3 => {
                        function.function_flags |= NET_FUNCTION | reliable;
                        let _ = path;
                    }
                    _ => {}
                }
            }
        }
    }

    /// The functions of the class, and those that they override, from which they take how they go over the net.
    fn class_functions(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
    ) -> Vec<(usize, PackageIndex)> {
        let mut found = Vec::new();
        for item in &source.syntax.items {
            let SyntaxItem::Function(written) = item else { continue };
            if written.kind.is_operator() {
                continue;
            }
            let path = around.within(&written.name.text);
            let Some(row) = self.draft.find("Function", &path) else { continue };
            let above = self.overridden(around, &written.name.text);
            // An older package knows better than an environment of another time.
            let is_outside = above.is_none_or(|above| !self.symbols.is_own(above.class));
            let former = self.former.filter(|_| is_outside && self.is_ue3());
            let former = former.and_then(|former| former.above_of(&path));
            let former = former.and_then(|path| self.objects.find("Function", path)).cloned();
            let above = match (former, above) {
                (Some(object), _) => import_named(self.draft, &object),
                (None, Some(above)) => self.function(above),
                (None, None) => continue,
            };
            found.push((row, above));
        }
        found
    }
}

/// The text as buffers store it: one byte a character where that is enough.
fn stored_text(text: &str, is_narrow: bool) -> FString {
    let units = || text.encode_utf16();
    let narrow = || match units().all(|unit| unit <= 0xff) {
        true => {
            let bytes: Vec<u8> = units().map(|unit| unit as u8).collect();
            Some(FString::from_bytes(bytes, Encoding::Ansi))
        }
        false => FString::ansi(text).filter(|_| is_narrow),
    };
    narrow().unwrap_or_else(|| FString::new(text))
}
