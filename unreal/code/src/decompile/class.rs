//! Whole classes as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::code::INDENT;
use super::declaration::DeclarationTexts;
use super::defaults;
use super::expression::Expressions;
use super::function;
use super::scripts::Scripts;
use super::state;
use crate::error::Result;
use crate::language::keywords;
use crate::object::script_object::{Class, ScriptObject};
use crate::primitive::{Name, ObjectFlags, PackageIndex};
use crate::script::statements;

/// Flags that classes inherit.
const INHERITED: u32 = 0x4 | 0x8 | 0x20 | 0x400 | 0x1000 | 0x2000;
const PLACEABLE: u32 = 0x200;
const CONFIG: u32 = 0x4;
const INTERFACE: u32 = 0x4000;
/// UE3's flag of classes with native code.
const NATIVE_CLASS: u32 = 0x80;
/// The flags of what is replicated.
const NET_PROPERTY: u64 = 0x20;
const NET_FUNCTION: u32 = 0x40;
const RELIABLE: u32 = 0x80;
/// No condition of its own.
const NO_CONDITION: u16 = 0xffff;

/// A class as its `.uc` file.
pub(super) fn text(scripts: &Scripts, index: PackageIndex, class: &Class) -> Result<String> {
    let name = scripts.name(index);
    let declarations = DeclarationTexts { scripts };
    let mut children = scripts.children(index).to_vec();
    let properties = children.clone();
    // All but variables stand there newest first.
    children.reverse();
    let mut out = header(scripts, index, class);
    for child in &children {
        if let Some(declared) = declarations.declared(*child) {
            let _ = write!(out, "\n{declared}");
            scripts.check(&out)?;
        }
    }
    let made = |name: &str| name.starts_with("__") && name.ends_with("__Delegate");
    let mut is_first = true;
    for child in properties {
        if let Some(property) = scripts.property(child).filter(|_| !made(&scripts.name(child))) {
            if std::mem::take(&mut is_first) {
                out.push('\n');
            }
            out.push_str(&declarations.variable(child, property, &name));
            scripts.check(&out)?;
        }
    }
    out.push_str(&replication(scripts, index, class)?);
    for child in &children {
        if scripts.function(*child).is_some() {
            let _ = write!(out, "\n{}", function::text(scripts, *child, 0)?);
            scripts.check(&out)?;
        }
    }
    for child in &children {
        if let Some(ScriptObject::State(_)) = scripts.object(*child) {
            let _ = write!(out, "\n{}", state::text(scripts, *child)?);
            scripts.check(&out)?;
        }
    }
    let defaults = defaults::text(scripts, index, class)?;
    let _ = write!(out, "\n{defaults}");
    Ok(out)
}

fn header(scripts: &Scripts, index: PackageIndex, class: &Class) -> String {
    let dialect = scripts.dialect;
    let is_interface = dialect.has_interfaces() && class.class_flags & INTERFACE != 0;
    let mut out = if is_interface { "interface " } else { "class " }.to_owned();
    out.push_str(&scripts.name(index));
    let parent = scripts.parent(index);
    let above = scripts.class(parent);
    if !parent.is_null() {
        let _ = write!(out, " extends {}", scripts.name(parent));
    }
    let mut words = Vec::new();
    let above_within = above.map(|above| above.within);
    let within = scripts.name(class.within);
    let is_plain = class.within.is_null() || within.eq_ignore_ascii_case("Object");
    if !is_plain && above_within != Some(class.within) {
        words.push(format!("within {within}"));
    }
    let is_native_class = dialect.has_interfaces() && class.class_flags & NATIVE_CLASS != 0;
    if scripts.object_flags(index) & ObjectFlags::NATIVE.0 != 0 || is_native_class {
        words.push("native".to_owned());
    }
    let above_flags = above.map_or(0, |above| above.class_flags);
    let inherited = INHERITED | if dialect.inherits_placeable() { PLACEABLE } else { 0 };
    for keyword in keywords::of(keywords::CLASS, dialect) {
        let has_above = u64::from(above_flags & inherited) & keyword.flag != 0;
        match u64::from(class.class_flags) & keyword.flag != 0 {
            true if !has_above => words.push(keyword.word.to_owned()),
            false if has_above && !keyword.off.is_empty() => words.push(keyword.off.to_owned()),
            _ => {}
        }
    }
    let config = scripts.stored_text(class.config_name);
    let above_config = above.and_then(|above| scripts.stored_text(above.config_name));
    if class.class_flags & CONFIG != 0 && (above_flags & CONFIG == 0 || config != above_config) {
        words.push(match config.filter(|name| !name.eq_ignore_ascii_case("System")) {
            Some(name) => format!("config({name})"),
            None => "config".to_owned(),
        });
    }
    let lists: [(&str, &[Name], &[Name]); 4] = [
        ("hidecategories", &class.hide_categories, above.map_or(&[], |it| &it.hide_categories)),
        (
            "hidecategories",
            &class.hide_categories_old,
            above.map_or(&[], |it| &it.hide_categories_old),
        ),
        (
            "autoexpandcategories",
            &class.auto_expand_categories,
            above.map_or(&[], |it| &it.auto_expand_categories),
        ),
        ("classgroup", &class.class_groups, above.map_or(&[], |it| &it.class_groups)),
    ];
    for (word, names, above) in lists {
        let own: Vec<String> = names
            .iter()
            .filter(|name| !above.contains(name))
            .map(|name| scripts.text(*name))
            .collect();
        if !own.is_empty() {
            words.push(format!("{word}({})", own.join(",")));
        }
    }
    let interfaces: Vec<String> =
        class.interfaces.iter().map(|interface| scripts.name(interface.class)).collect();
    if !interfaces.is_empty() {
        words.push(format!("implements({})", interfaces.join(",")));
    }
    for word in words {
        let _ = write!(out, "\n{INDENT}{word}");
    }
    out.push_str(";\n");
    out
}

/// Which members go over the net, and when (spec: ue1-3/12 §12.4).
fn replication(scripts: &Scripts, index: PackageIndex, class: &Class) -> Result<String> {
    let in_functions = scripts.dialect.replicates_in_functions();
    // By the place of the condition and whether it is reliable: the members.
    let mut groups: BTreeMap<(u16, bool), Vec<PackageIndex>> = BTreeMap::new();
    for &child in scripts.children(index) {
        match scripts.object(child) {
            Some(ScriptObject::Property(property))
                if property.property_flags & NET_PROPERTY != 0 =>
            {
                groups.entry((property.rep_offset, true)).or_default().push(child);
            }
            Some(ScriptObject::Function(function))
                if function.function_flags & NET_FUNCTION != 0
                    && !in_functions
                    && function.base.field.super_field.is_null() =>
            {
                let is_reliable = function.function_flags & RELIABLE != 0;
                let key = (function.rep_offset, is_reliable);
                groups.entry(key).or_default().push(child);
            }
            _ => {}
        }
    }
    groups.retain(|(place, _), _| *place != NO_CONDITION);
    if groups.is_empty() {
        return Ok(String::new());
    }
    let none = |name: &Name| scripts.some_text(*name).is_none();
    let items = &class.base.base.script.items;
    let conditions = statements(items, scripts.package.versions(), none)?;
    let mut out = "\nreplication\n{\n".to_owned();
    for ((place, is_reliable), members) in groups {
        let mut text = Expressions { scripts, code_of: index, class: index, out: String::new() };
        let condition = conditions.iter().find(|condition| condition.place == u32::from(place));
        condition.into_iter().for_each(|condition| text.write(condition));
        scripts.check(&text.out)?;
        let word = match (in_functions, is_reliable) {
            (true, _) => "",
            (_, true) => "reliable ",
            (_, false) => "unreliable ",
        };
        let condition = if text.out.is_empty() { "true" } else { &text.out };
        let _ = write!(out, "{INDENT}{word}if ({condition})\n{INDENT}{INDENT}");
        for (at, member) in members.into_iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(out, "{comma}{}", scripts.name(member));
            scripts.check(&out)?;
        }
        out.push_str(";\n");
    }
    out.push_str("}\n");
    Ok(out)
}
