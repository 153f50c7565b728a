//! The command as its users call it: what it prints, writes, refuses, and its exit codes.

mod common;

mod assets;
mod bodies;
mod compression;
mod containers;
mod content;
mod detect;
mod edit;
mod environment;
mod files;
mod grep;
mod layout;
mod look;
mod meaning;
mod merge;
mod property;
mod related;
mod scan;
mod structure;
mod traps;
mod ue4;
mod ue4_edit;
mod usage;
mod verify;
mod zen;
