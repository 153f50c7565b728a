//! What variables hold of which nothing is said, and where they stand (UE3).

use std::collections::HashMap;

use crate::compile::{ClassId, Owner, SymbolId, ValueType, VariableSymbol};
use crate::primitive::PackageIndex;
use crate::property::Value;

use super::super::declare::ClassMaker;
use super::given::{Given, MOST_ELEMENTS, is_zero};

/// What replaces a primitive component: always stored.
const REPLACEMENT: &str = "ReplacementPrimitive";

impl ClassMaker<'_> {
    /// The class's own variables that start as something: structs that say so (UE3).
    pub(super) fn add_starts(&mut self, class: ClassId, given: &mut Given) {
        self.add_replacement(class, given);
        let variables = &self.symbols.class(class).variables;
        for row in 0..u32::try_from(variables.len()).unwrap_or(0) {
            let id = SymbolId { class, row };
            let is_own = |it: &VariableSymbol| it.owner == Owner::Class && !it.is_native;
            if !self.symbols.variable(id).is_some_and(is_own) {
                continue;
            }
            let of = self.symbols.type_of(id);
            if !matches!(of, ValueType::Struct(_)) {
                continue;
            }
            let start = self.zero_property(&of);
            if is_zero(&start) {
                continue;
            }
            for element in 0..self.length_of(id).min(MOST_ELEMENTS) {
                given.entry((id, element)).or_insert_with(|| start.clone());
            }
        }
    }

    /// What all primitive components store, whether it is none or not.
    pub(super) fn add_replacement(&self, class: ClassId, given: &mut Given) {
        let name = |id: ClassId| self.symbols.class(id).name.as_str();
        let is_primitive =
            self.symbols.chain(class).any(|it| name(it).eq_ignore_ascii_case("PrimitiveComponent"));
        let id = self.symbols.find_variable(class, &REPLACEMENT.to_ascii_lowercase());
        if let Some(id) = id.filter(|_| is_primitive) {
            given.entry((id, 0)).or_insert(Value::Object(PackageIndex::NULL));
        }
    }

    /// Whether a value is stored whatever it is: components say what replaces them, and an older package may hold what
    /// C++ has put there.
    pub(super) fn is_kept(&self, class: ClassId, key: (SymbolId, u32)) -> bool {
        let Some(variable) = self.symbols.variable(key.0) else { return false };
        let name = &self.symbols.class(class).name;
        let former = || self.former.is_some_and(|it| it.stores(name, &variable.name, key.1));
        variable.name.eq_ignore_ascii_case(REPLACEMENT) || former()
    }

    /// The places of a class's variables in its list: UE3 puts truths and bytes together.
    pub(super) fn places(&self, class: ClassId) -> HashMap<u32, usize> {
        let declared = self.symbols.class(class);
        let header = declared.syntax.as_ref().and_then(|it| it.class.as_ref());
        let is_kept = header.is_some_and(|header| {
            header.modifiers.iter().any(|it| it.word.is("noexport")) || self.forces_order(header)
        }) || self.is_order_kept(class);
        let rows = (0..u32::try_from(declared.variables.len()).unwrap_or(0)).filter(|row| {
            declared.variables.get(*row as usize).is_some_and(|it| it.owner == Owner::Class)
        });
        let mut order: Vec<(u32, u8)> = Vec::new();
        for row in rows {
            let kind = match self.symbols.type_of(SymbolId { class, row }) {
                ValueType::Bool => 1,
                ValueType::Byte(_) => 2,
                _ => 0,
            };
            let last = order.iter().rposition(|it| it.1 == kind);
            let last = last.filter(|_| kind > 0 && self.is_ue3() && !is_kept);
            order.insert(last.map_or(order.len(), |at| at + 1), (row, kind));
        }
        order.into_iter().enumerate().map(|(place, (row, _))| (row, place)).collect()
    }
}
