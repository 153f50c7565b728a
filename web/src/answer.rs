//! What a request is answered with.

use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};

/// An answer: a JSON value, and bytes that are better not written as JSON.
#[derive(Debug, Default)]
pub struct Answer {
    /// The value's text.
    pub text: String,
    /// The bytes; the request says what they are.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// A value alone.
    pub fn of(value: &Value) -> Self {
        Self::with(value, Vec::new())
    }

    /// The text of a value alone that was never one: of a list of many things a [`Value`] takes ten times as much.
    pub(crate) fn written(value: &impl Serialize) -> Result<Self> {
        Ok(Self { text: serde_json::to_string(value)?, bytes: Vec::new() })
    }

    /// A value with bytes.
    pub fn with(value: &Value, bytes: Vec<u8>) -> Self {
        Self { text: value.to_string(), bytes }
    }

    pub(crate) fn failed(failure: &Failure) -> Self {
        Self::of(&json!({ "error": failure.message, "next": failure.next, "kind": failure.kind,
                    "places": failure.places }))
    }

    /// As the worker reads it: the length of the JSON text as four bytes, the text, the bytes.
    pub fn into_message(self) -> Vec<u8> {
        let text = &self.text;
        let mut message = Vec::with_capacity(4 + text.len() + self.bytes.len());
        message.extend_from_slice(&(text.len() as u32).to_le_bytes());
        message.extend_from_slice(text.as_bytes());
        message.extend_from_slice(&self.bytes);
        message
    }
}
