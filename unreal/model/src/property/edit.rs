//! Reading, setting and removing the value at a path within properties.

mod change;
mod element;
mod listed;
mod objects;
mod value;

#[doc(hidden)]
pub use change::{Change, Found, Presence};
#[doc(hidden)]
pub use listed::apply;
#[doc(hidden)]
pub use value::apply_value;
