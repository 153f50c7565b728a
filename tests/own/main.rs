//! A format of one's own, with the framework alone: what the derive's attributes, the shelf of forms and the readable
//! documents do.

mod attributes;
mod foreign;
mod json;
mod laws;
mod messages;
mod migration;
mod save_game;
mod shelf;
mod types;
