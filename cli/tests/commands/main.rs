//! The command as its users call it: what it prints, writes, refuses, and its exit codes.

mod common;

mod assets;
mod bodies;
mod companions;
mod compression;
mod containers;
mod content;
mod copying;
mod damage;
mod detect;
mod edit;
mod environment;
mod files;
mod gate;
mod grep;
mod journals;
mod layout;
mod look;
mod meaning;
mod merge;
mod property;
mod related;
mod scan;
mod scan_owns;
mod security;
mod structure;
mod traps;
mod trust;
mod ue4;
mod ue4_edit;
mod unpacked;
mod unpacked_generated;
mod usage;
mod verify;
mod zen;
