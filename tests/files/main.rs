//! Files are whole at every moment: whatever fails, and wherever a run is killed.

mod attributes;
mod backups;
mod faults;
mod journals;
mod meanwhile;
mod pairs;
mod sets;
#[cfg(unix)]
mod unreadable;
mod world;
