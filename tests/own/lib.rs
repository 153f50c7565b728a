//! Nothing: the tests of this package are a program of their own.
