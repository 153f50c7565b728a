//! Places in the code of objects that others know, found when a document is written and moved when it is read.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result, UnrealErrors};
use crate::object::{Body, Native};
use crate::package::Package;
use crate::package::code_places::{
    declaring_class, each_entry, function_of, is_net, narrow, rep_offset,
};
use crate::primitive::{Index, Name, ObjectRef, PackageIndex};
use crate::script::ScriptItem;
use crate::version::EngineFacts;

/// The prefix of an event graph's name.
const EVENT_GRAPH: &str = "ExecuteUbergraph";

/// Gets the row of an object with code and a place in it, and says where that place is now.
pub(crate) type VisitPlace<'a> = &'a mut dyn FnMut(usize, u64) -> Result<u64>;

/// Finds what bodies know of the code of others.
pub(crate) struct CodePlacesKnown {
    /// The event graphs of a package of UE4 and UE5.
    graphs: Vec<(Name, usize)>,
}

impl CodePlacesKnown {
    pub fn new(package: &Package) -> Self {
        let mut graphs = Vec::new();
        if package.versions().has_event_graphs() {
            for (row, export) in package.tables.exports.iter().enumerate() {
                if package.name_text(export.object_name).starts_with(EVENT_GRAPH) {
                    graphs.push((export.object_name, row));
                }
            }
        }
        Self { graphs }
    }

    /// Whether the body of a row may know places in code at all.
    pub fn may_know(&self, package: &Package, row: usize) -> bool {
        let Some(export) = package.tables.exports.get(row) else { return false };
        let class = package.object_name(export.class_index);
        if package.versions().has_event_graphs() {
            return !self.graphs.is_empty() && class.ends_with("Function");
        }
        export.object_flags.has_stack(package.versions())
            || export.class_index.is_null()
            || class.ends_with("Property")
            || ["Function", "State"].contains(&class.as_str())
    }

    /// Shows the places that a body knows, and stores what they are now; says whether one changed. The start of
    /// code stays its start.
    ///
    /// # Errors
    /// The errors of `visit`; `Invalid` for a place that is too far to be stored, and for an event that enters its
    /// graph at a place that is no constant.
    pub fn visit(
        &self,
        package: &Package,
        row: usize,
        body: &mut Body,
        visit: VisitPlace<'_>,
    ) -> Result<bool> {
        let mut changed = false;
        let mut visit = |row: usize, place: u64| {
            let new = if place == 0 { 0 } else { visit(row, place)? };
            changed |= new != place;
            Ok(new)
        };
        match package.versions().has_event_graphs() {
            true => self.visit_events(body, &mut visit)?,
            false => visit_classic(package, row, body, &mut visit)?,
        }
        Ok(changed)
    }

    fn visit_events(&self, body: &mut Body, visit: VisitPlace<'_>) -> Result<()> {
        if let Some(function) = function_of(body)
            && let ObjectRef::Export(graph) = function.event_graph_function.target()
            && let Ok(place) = u64::try_from(function.event_graph_call_offset)
        {
            function.event_graph_call_offset = wide(visit(graph, place)?)?;
        }
        let Some(code) = body.native.code_mut() else { return Ok(()) };
        let graph = |called: &ScriptItem| {
            let is = |(name, row): &&(Name, usize)| match called {
                ScriptItem::Object(index) => *index == PackageIndex::export(*row),
                ScriptItem::Name(called) => called == name,
                _ => false,
            };
            self.graphs.iter().find(is).map(|(_, row)| *row)
        };
        each_entry(&mut code.items, &graph, &mut |graph, place| match u64::try_from(place) {
            Ok(place) => wide(visit(graph, place)?),
            Err(_) => Ok(place),
        })
    }
}

fn visit_classic(
    package: &Package,
    row: usize,
    body: &mut Body,
    visit: VisitPlace<'_>,
) -> Result<()> {
    if let Some(frame) = &mut body.state_frame {
        if let (ObjectRef::Export(node), Some(offset)) = (frame.node.target(), &mut frame.offset)
            && let Ok(place) = u64::try_from(offset.value())
        {
            let new = visit(node, place)?;
            if new != place {
                *offset = Index::new(wide(new)?);
            }
        }
        for state in &mut frame.state_stack {
            if let ObjectRef::Export(node) = state.node.target()
                && let Ok(place) = u64::try_from(state.offset)
            {
                state.offset = wide(visit(node, place)?)?;
            }
        }
    }
    if let Native::Script(object) = &mut body.native
        && let Some(state) = object.state_mut()
        && state.label_table_offset != u16::MAX
    {
        state.label_table_offset = narrow(visit(row, state.label_table_offset.into())?)?;
    }
    if is_net(body)
        && let ObjectRef::Export(class) = declaring_class(package, row).target()
        && let Some(offset) = rep_offset(body).filter(|offset| **offset != u16::MAX)
    {
        *offset = narrow(visit(class, (*offset).into())?)?;
    }
    Ok(())
}

impl Package {
    /// Places in the code of each object that others know.
    pub(in crate::package) fn known_code_places(&self) -> BTreeMap<usize, BTreeSet<u64>> {
        let (known, mut decoder) = (CodePlacesKnown::new(self), self.decoder());
        let mut found = BTreeMap::<usize, BTreeSet<u64>>::new();
        for row in 0..self.export_count() {
            if !known.may_know(self, row) {
                continue;
            }
            let Some(mut decoded) = decoder.decode(self, row, |_| true) else { continue };
            let body = &mut std::sync::Arc::make_mut(&mut decoded).body;
            let mut note = |row: usize, place: u64| {
                found.entry(row).or_default().insert(place);
                Ok(place)
            };
            // What is no constant is said when the code changes.
            let _ = known.visit(self, row, body, &mut note);
        }
        found
    }
}

impl Package {
    /// Places in code that was changed go where the code went: `moved` says for each object with such code where
    /// lies now what lay at a place.
    ///
    /// # Errors
    /// `Refused` where an object knows a place that is not among them, or may know one and is not decoded; as
    /// [`CodePlacesKnown::visit`].
    pub(in crate::package) fn move_known_places(
        &mut self,
        moved: &BTreeMap<usize, BTreeMap<u64, u64>>,
    ) -> Result<()> {
        if moved.is_empty() {
            return Ok(());
        }
        let known = CodePlacesKnown::new(self);
        let refused = |package: &Self, row: usize, reason: String| {
            Error::refused(&reason, vec![package.path(PackageIndex::export(row))])
        };
        for row in 0..self.export_count() {
            if !known.may_know(self, row) {
                continue;
            }
            let body = self.bodies.decoded.get(&row).map(|decoded| decoded.body.clone());
            let Some(mut body) = body else {
                if self.body_range(row).1 == 0 {
                    continue;
                }
                let reason = "the code can't change its length: bodies that are not decoded may refer to \
                              places in it";
                return Err(refused(self, row, reason.to_owned()));
            };
            let changed = {
                let package = &*self;
                let mut visit = |code: usize, place: u64| {
                    match moved.get(&code) {
                    None => Ok(place),
                    Some(places) => places.get(&place).copied().ok_or_else(|| {
                        let object = package.path(PackageIndex::export(code));
                        let reason = format!(
                            "it refers to place {place:#x} in the code of {object}, which has changed and has no \
                             label L{place:04x}: put it before the statement that is meant"
                        );
                        refused(package, row, reason)
                    }),
                }
                };
                known.visit(package, row, &mut body, &mut visit)?
            };
            if let Some(decoded) = self.bodies.decoded.get_mut(&row).filter(|_| changed) {
                decoded.body = body;
            }
        }
        Ok(())
    }
}

fn wide(place: u64) -> Result<i32> {
    i32::try_from(place)
        .map_err(|_| Error::invalid(format!("the code would reach place {place:#x}")))
}
