//! The tests of this package are its one program.
