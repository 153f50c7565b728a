//! References to places in the code of another object.

use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{PackageValues, ReferenceTexts};
use crate::object::ue4::structure::function::Function;
use crate::object::{Body, Native};
use crate::package::code_places::{
    declaring_class, each_entry, function_of, is_net, narrow, rep_offset,
};
use crate::primitive::{Index, Name, PackageIndex};
use crate::script::{MovedPlaces, ScriptItem};
use crate::version::EngineFacts;

/// A jump to a place that is computed: what is entered at places that its callers say.
const COMPUTED_JUMP: u8 = 0x4e;

impl Edit {
    /// Places in the code of an object that others know go where the code went.
    pub(super) fn move_entries(&mut self, row: usize, moved: &MovedPlaces) -> Result<()> {
        if self.versions().has_event_graphs() {
            self.move_events(row, moved)
        } else {
            self.move_frames(row, moved)?;
            self.move_conditions(row, moved)
        }
    }

    /// UE1 to UE3: objects that stand in the code.
    fn move_frames(&mut self, row: usize, moved: &MovedPlaces) -> Result<()> {
        let node = PackageIndex::export(row);
        let has_stack = |other: &usize| {
            let flags = self.tables().exports.get(*other).map(|export| export.object_flags);
            flags.is_some_and(|flags| flags.has_stack(self.versions()))
        };
        let rows: Vec<usize> = (0..self.export_count()).filter(has_stack).collect();
        for other in rows {
            let Some(body) = self.readable(other)? else {
                return Err(self.unseen(other));
            };
            if body.vengeance_state_frame.is_some_and(|frame| frame.node == node) {
                return Err(self.unseen(other));
            }
            let Some(frame) = body.state_frame else { continue };
            let stands = frame.node == node && frame.offset.is_some_and(|at| at.value() >= 0);
            let pushed = frame.state_stack.iter().any(|state| state.node == node);
            if stands || pushed {
                self.edit_body(other, |_, body, _| {
                    let Some(frame) = &mut body.state_frame else { return Ok(()) };
                    if let Some(at) = frame.offset.as_mut().filter(|at| stands && at.value() >= 0) {
                        *at = Index::new(number(moved, at.value())?);
                    }
                    for state in frame.state_stack.iter_mut().filter(|state| state.node == node) {
                        state.offset = number(moved, state.offset)?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// UE1 to UE3: the replication conditions, which are the code of a class. Its properties and functions
    /// know where theirs begins, and functions that override one of them as well.
    fn move_conditions(&mut self, row: usize, moved: &MovedPlaces) -> Result<()> {
        if !self.tables().exports.get(row).is_some_and(|export| export.class_index.is_null()) {
            return Ok(());
        }
        for other in 0..self.export_count() {
            let class = self.class_path(other);
            let is_property = class.ends_with("Property");
            if !is_property && class != "Core.Function" {
                continue;
            }
            let Some(body) = self.readable(other)? else { return Err(self.unseen(other)) };
            let Some(offset) = rep_offset(&mut body.clone())
                .copied()
                .filter(|at| is_net(&body) && *at != u16::MAX)
            else {
                continue;
            };
            if declaring_class(self, other) == PackageIndex::export(row) {
                let place = narrow(moved.place(offset.into())?)?;
                if place != offset {
                    self.edit_body(other, |_, body, _| {
                        if let Some(offset) = rep_offset(body) {
                            *offset = place;
                        }
                        Ok(())
                    })?;
                }
            }
        }
        Ok(())
    }

    /// UE4 and UE5: the events that enter an event graph.
    fn move_events(&mut self, row: usize, moved: &MovedPlaces) -> Result<()> {
        let graph = PackageIndex::export(row);
        let Some(body) = self.readable(row)? else { return Err(self.unseen(row)) };
        let jumps = |item: &ScriptItem| item.token() == Some(COMPUTED_JUMP);
        let is_entered = body.native.code().is_some_and(|code| code.items.iter().any(jumps));
        let name = self.tables().exports.get(row).map(|export| export.object_name);
        for other in 0..self.export_count() {
            let class = self.class_path(other);
            if !class.ends_with("Function") && !class.ends_with("GeneratedClass") {
                continue;
            }
            let Some(mut body) = self.readable(other)? else { return Err(self.unseen(other)) };
            let mut changes = enters_graph(&body, graph);
            if is_entered && let Some(code) = body.native.code_mut() {
                changes |= move_calls(&mut code.items.clone(), graph, name, moved)
                    .map_err(|error| self.values().about(other, error))?;
            }
            if !changes {
                continue;
            }
            self.edit_body(other, |_, body, _| {
                if is_entered && let Some(code) = body.native.code_mut() {
                    move_calls(&mut code.items, graph, name, moved)?;
                }
                if enters_graph(body, graph)
                    && let Some(function) = function_of(body)
                {
                    function.event_graph_call_offset =
                        number(moved, function.event_graph_call_offset)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// A body as it is now; `None` where it is not decoded whole.
    fn readable(&self, row: usize) -> Result<Option<Body>> {
        if self.body_range(row).1 == 0 && !self.bodies().decoded.contains_key(&row) {
            return Ok(Some(Body::default()));
        }
        match self.values().editable(row, &self.decoding_context()) {
            Ok(decoded) if decoded.opaque == 0 || decoded.body.state_frame.is_some() => {
                Ok(Some(decoded.body))
            }
            _ => Ok(None),
        }
    }

    fn unseen(&self, row: usize) -> Error {
        let reason = "the code can't change its length: bodies that are not decoded may refer to \
                      places in it";
        Error::refused(reason, vec![self.exports().path(row)])
    }
}

/// A place as it is stored in four bytes.
fn number(moved: &MovedPlaces, place: i32) -> Result<i32> {
    let Ok(old) = u64::try_from(place) else { return Ok(place) };
    let place = moved.place(old)?;
    i32::try_from(place)
        .map_err(|_| Error::invalid(format!("the code would reach place {place:#x}")))
}

/// Whether a body is an event that knows where it enters this graph.
fn enters_graph(body: &Body, graph: PackageIndex) -> bool {
    let Native::Object(object) = &body.native else { return false };
    let function: Option<&Function> = object.downcast_ref();
    function.is_some_and(|function| function.event_graph_function == graph)
}

/// Calls of a function with the place to enter it at; says whether one of them changed.
fn move_calls(
    items: &mut [ScriptItem],
    graph: PackageIndex,
    name: Option<Name>,
    moved: &MovedPlaces,
) -> Result<bool> {
    let mut changed = false;
    let is_called = |called: &ScriptItem| match called {
        ScriptItem::Object(index) => *index == graph,
        ScriptItem::Name(called) => Some(*called) == name,
        _ => false,
    };
    let graph = |called: &ScriptItem| is_called(called).then_some(0);
    each_entry(items, &graph, &mut |_, place| {
        let new = number(moved, place)?;
        changed |= new != place;
        Ok(new)
    })?;
    Ok(changed)
}
