//! The laws of serialising, for every type that is listed and for headers whose bytes were changed; those of
//! random values of primitives and tables are in `tests/laws`.

mod compared;
mod every;
mod headers;
#[cfg(feature = "json")]
mod keys;
