//! The path to a value that is being shown.

use std::fmt::{self, Write};
use std::sync::Arc;

use crate::archive::{Context, Space, Step};
use crate::error::PathStep;

/// The path to the value that a [`Visitor`](super::Visitor) is shown. It is there for every value and read for few:
/// what it says is made when somebody asks.
#[doc(hidden)]
pub struct Way {
    steps: Vec<WayStep>,
    /// The texts of steps that are known by them alone, one behind the other.
    names: String,
    context: Arc<Context>,
}

/// A step as it was announced.
#[derive(Clone, Copy)]
enum WayStep {
    Field(&'static str),
    Index(usize),
    /// The text stands there among the names.
    Name {
        start: usize,
        end: usize,
    },
    Row {
        space: &'static Space,
        row: i32,
        number: i32,
        index: usize,
    },
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Way {
    /// To the value itself. The context knows the texts of rows.
    #[inline]
    pub(super) fn new(context: Arc<Context>) -> Self {
        Self { steps: Vec::new(), names: String::new(), context }
    }

    #[inline]
    pub(super) fn enter(&mut self, step: Step<'_>) {
        self.steps.push(match step {
            Step::Field(name) => WayStep::Field(name),
            Step::Index(index) => WayStep::Index(index),
            Step::Row { space, row, number, index } => WayStep::Row { space, row, number, index },
            Step::Name(name) => {
                let start = self.names.len();
                // Writing to a String can't fail.
                let _ = write!(self.names, "{name}");
                WayStep::Name { start, end: self.names.len() }
            }
            _ => return,
        });
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        if let Some(WayStep::Name { start, .. }) = self.steps.pop() {
            self.names.truncate(start);
        }
    }

    /// The field that the value is, where it is one.
    #[inline]
    pub fn last_field(&self) -> Option<&'static str> {
        match self.steps.last() {
            Some(WayStep::Field(name)) => Some(name),
            _ => None,
        }
    }

    /// The steps.
    pub fn steps(&self) -> Vec<PathStep> {
        self.steps.iter().map(|step| self.made(*step)).collect()
    }

    fn made(&self, step: WayStep) -> PathStep {
        match step {
            WayStep::Field(name) => PathStep::Field(name),
            WayStep::Index(index) => PathStep::Index(index),
            WayStep::Name { start, end } => PathStep::Name(self.names[start..end].into()),
            WayStep::Row { space, row, number, index } => {
                match (space.text)(&self.context, row, number) {
                    text if text.is_empty() => PathStep::Index(index),
                    text => PathStep::Name(text.into()),
                }
            }
        }
    }

    /// Whether it leads through these steps first.
    pub fn starts_with(&self, steps: &[PathStep]) -> bool {
        let same = |(own, step): (&WayStep, &PathStep)| match (own, step) {
            (WayStep::Field(own), PathStep::Field(name)) => own == name,
            (WayStep::Index(own), PathStep::Index(index)) => own == index,
            (WayStep::Name { start, end }, PathStep::Name(name)) => {
                self.names[*start..*end] == **name
            }
            (WayStep::Row { .. }, step) => self.made(*own) == *step,
            _ => false,
        };
        steps.len() <= self.steps.len() && self.steps.iter().zip(steps).all(same)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = |at: usize| if at == 0 { "" } else { "." };
        self.steps.iter().enumerate().try_for_each(|(at, step)| match *step {
            WayStep::Field(name) => write!(f, "{}{name}", dot(at)),
            WayStep::Index(index) => write!(f, "[{index}]"),
            WayStep::Name { start, end } => write!(f, "{}{}", dot(at), &self.names[start..end]),
            WayStep::Row { space, row, number, index } => {
                match (space.text)(&self.context, row, number) {
                    text if text.is_empty() => write!(f, "[{index}]"),
                    text => write!(f, "{}{text}", dot(at)),
                }
            }
        })
    }
}
