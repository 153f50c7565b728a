//! Versions: the numbers that decide every layout, on axes that a format declares.

mod axis;
mod byte_order;
mod format;
mod guid;
mod versions;

pub use axis::{Axes, Axis, Measure};
pub use byte_order::ByteOrder;
pub use format::{Counts, Format};
pub use guid::Guid;
pub use versions::Versions;
