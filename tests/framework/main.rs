//! The framework, as a format of one's own meets it: entry points, attributes, forms, documents, places, streams.

mod attributes;
mod checksums;
mod entry;
mod every;
mod foreign;
mod hostile;
mod interface;
mod json;
mod kit;
mod layouts;
mod maps;
mod messages;
mod migration;
mod places;
mod save_game;
mod shelf;
mod stored;
mod streams;
mod types;
