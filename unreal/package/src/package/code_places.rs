//! Places in the code of objects that others know: states that are being executed, replication conditions, the
//! events that enter an event graph.

use crate::error::{Error, Result};
use crate::object::script_object::ScriptObject;
use crate::object::ue4::structure::function::Function;
use crate::object::{Body, Native};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::script::ScriptItem;

/// Tokens of Kismet that call a function by reference, and by name (spec: ue4-5/05 §3).
const CALLS: [u8; 3] = [0x1c, 0x46, 0x68];
const NAMED_CALLS: [u8; 2] = [0x1b, 0x45];
const INT: u8 = 0x1d;
const ZERO: u8 = 0x25;
const END_OF_PARAMETERS: u8 = 0x16;

/// Calls of event graphs: `visit` gets the graph that `graph` has found and the place at which it is entered, and
/// says where that is now.
///
/// # Errors
/// The errors of `visit`; `Invalid` where the place is no constant.
#[doc(hidden)]
pub fn each_entry(
    items: &mut [ScriptItem],
    graph: &dyn Fn(&ScriptItem) -> Option<usize>,
    visit: &mut dyn FnMut(usize, i32) -> Result<i32>,
) -> Result<()> {
    for at in 0..items.len() {
        let Some([called, to, parameter, rest @ ..]) = items.get_mut(at..) else { break };
        let calls = match (called.token(), &*to) {
            (Some(token), ScriptItem::Object(_)) => CALLS.contains(&token),
            (Some(token), ScriptItem::Name(_)) => NAMED_CALLS.contains(&token),
            _ => false,
        };
        let Some(graph) = graph(to).filter(|_| calls) else { continue };
        match (parameter.token(), rest.first_mut()) {
            (Some(INT), Some(ScriptItem::Int(place))) => *place = visit(graph, *place)?,
            // The start stays the start.
            (Some(ZERO | END_OF_PARAMETERS), _) => {}
            _ => {
                return Err(Error::invalid(
                    "it enters the event graph at a place that is no constant, so the graph's code can't \
                     change its length",
                ));
            }
        }
    }
    Ok(())
}

/// The class in which a field was declared first: that of the topmost function that one overrides.
#[doc(hidden)]
pub fn declaring_class(package: &Package, row: usize) -> PackageIndex {
    let mut at = row;
    for _ in 0..package.export_count() {
        let Some(export) = package.tables.exports.get(at) else { break };
        match export.super_index.target() {
            ObjectRef::Export(above) => at = above,
            ObjectRef::Import(_) => return PackageIndex::NULL,
            ObjectRef::Null => return export.outer_index,
        }
    }
    PackageIndex::NULL
}

/// Where the replication condition of a property or function begins.
#[doc(hidden)]
pub fn rep_offset(body: &mut Body) -> Option<&mut u16> {
    let Native::Script(object) = &mut body.native else { return None };
    match &mut **object {
        ScriptObject::Property(property) => Some(&mut property.rep_offset),
        ScriptObject::Function(function) => Some(&mut function.rep_offset),
        _ => None,
    }
}

/// Whether a property or function is replicated (spec: ue1-3/08 §8.5).
#[doc(hidden)]
pub fn is_net(body: &Body) -> bool {
    let Native::Script(object) = &body.native else { return false };
    match &**object {
        ScriptObject::Property(property) => property.property_flags & 0x20 != 0,
        ScriptObject::Function(function) => function.function_flags & 0x40 != 0,
        _ => false,
    }
}

/// The function of UE4 and UE5 that a body is.
#[doc(hidden)]
pub fn function_of(body: &mut Body) -> Option<&mut Function> {
    match &mut body.native {
        Native::Object(object) => object.downcast_mut(),
        _ => None,
    }
}

/// A place that is stored in two bytes, of which the largest number means none.
#[doc(hidden)]
pub fn narrow(place: u64) -> Result<u16> {
    u16::try_from(place).ok().filter(|place| *place != u16::MAX).ok_or_else(|| {
        Error::invalid(format!("the code would reach place {place:#x}, which two bytes can't say"))
    })
}
