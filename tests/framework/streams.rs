//! Archives over streams.
