//! What everything else is made of, with the framework alone or with the packages: numbers, strings, names.

mod compact;
