//! Reading, setting and removing the value at a path within properties.

mod change;
mod element;
mod listed;
mod objects;
mod value;

pub(crate) use change::{Change, Found, Presence};
pub(crate) use listed::apply;
pub(crate) use value::apply_value;
