//! The framework, as a format of one's own meets it: entry points, places, streams, checksums, maps.

mod checksums;
mod entry;
mod every;
mod interface;
mod kit;
mod layouts;
mod maps;
mod places;
mod streams;
