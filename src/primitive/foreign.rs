//! Types of other crates, each with its feature; `bytes` the framework uses itself.
//!
//! | feature | type | stored as |
//! |---|---|---|
//! | | `bytes::Bytes`, `BytesMut` | a count, then the bytes |
//! | `glam` | `Vec2`, `Vec3`, `Vec4`, `Quat`, `IVec2`, `DVec3`… | their components in order |
//! | `glam` | `Mat2`, `Mat3`, `Mat4`, `DMat4`… | their columns in order |
//! | `indexmap` | `IndexMap`, `IndexSet` | as `Map` and `Vec`, in their own order; double keys are refused |
//! | `jiff` | `Timestamp`, `SignedDuration` | seconds, `i64`, then nanoseconds, `i32` |
//! | `jiff` | `civil::Date`, `civil::Time`, `civil::DateTime` | year (`i16`), month, day, hour, minute, second (`i8`), nanosecond (`i32`) |
//! | `smallvec` | `SmallVec` | as a `Vec` |
//! | `uuid` | `Uuid` | 16 bytes, as RFC 9562 has them |

mod bytes;
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "indexmap")]
mod indexmap;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "smallvec")]
mod smallvec;
#[cfg(feature = "uuid")]
mod uuid;
