//! Macros of UE3's sources: text behind backquotes is replaced before anything else is read.
//!
//! ```text
//! `define SPEED 600
//! `define twice(value) (`value * 2)
//!
//! `if(`isdefined(debug))
//!     `log("now" @ `twice(`SPEED));
//! `endif
//! ```
//!
//! | written | what it does |
//! |---|---|
//! | `` `name ``, `` `{name} ``, `` `name(a, b) `` | is replaced by the macro's text, in which `` `a `` is its parameter a; the result is read for macros again |
//! | `` `define name text ``, `` `define name(a, b) text `` | defines a macro to the end of the line; a backslash there goes on with the next one |
//! | `` `undefine(name) `` | takes a definition back |
//! | `` `if(text) ``, `` `else ``, `` `endif `` | keeps what stands between where the text is not empty when its macros are replaced |
//! | `` `isdefined(name) ``, `` `notdefined(name) `` | is some text where that is so, else none |
//! | `` `include(file) `` | is replaced by a file, whose definitions count from there on |
//!
//! Names count in any case. Comments are left as they are, texts in quotes are not. Lines stay lines: what is left out leaves
//! its line ends, so that places in the result are those of the file.
//!
//! Source: the public documentation of UDK's preprocessor; packages keep the text behind it (spec: ue1-3/15 §15.2).

mod arguments;
mod expander;
mod macro_table;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use self::expander::Expander;
use self::macro_table::{Macro, MacroTable};
use super::declarations::fold;
use super::diagnostic::Diagnostic;
use super::source::SourceText;

/// The macros that the texts of a package start with.
#[derive(Clone)]
pub struct Macros(MacroTable);

/// What a package can use where no file of the engine's defines it (`Core/Globals.uci`): messages to the log, under a
/// condition and with a tag if these are given. A message alone becomes what packages have for it: authors' `` `log("x"); ``
/// stands as `LogInternal("x");` there.
const USUAL: &str = "\
`define log(msg,cond,tag) `if(`cond)if(`cond) `{endif}LogInternal(`msg`if(`tag),`tag`endif)
`define logd(msg,cond,tag) `if(`isdefined(debug))`log(`msg,`cond,`tag)`endif
`define warn(msg,cond) `if(`cond)if(`cond) `{endif}WarnInternal(`msg)
`define assert(cond) assert(`cond)
";

impl Default for Macros {
    fn default() -> Self {
        let mut macros = Self(MacroTable { by_name: HashMap::new(), read: Arc::new(|_| None) });
        macros.add(USUAL);
        macros
    }
}

impl fmt::Debug for Macros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Macros").field("by_name", &self.0.by_name).finish_non_exhaustive()
    }
}

impl Macros {
    /// The same with files that texts may include.
    #[must_use]
    pub fn with_files(
        mut self,
        read: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.0.read = Arc::new(read);
        self
    }

    /// Adds what a file of macros (`.uci`) defines. What it defines anew counts.
    pub fn add(&mut self, text: &str) {
        let source = SourceText::new("", text);
        let mut expander = Expander::new(&self.0, &source);
        expander.file(text);
        self.0.by_name = expander.into_macros();
    }

    /// Defines a macro without parameters; `debug` for example.
    pub fn define(&mut self, name: &str, body: &str) {
        let defined = Macro { parameters: Vec::new(), body: body.to_owned() };
        self.0.by_name.insert(fold(name), Arc::new(defined));
    }

    /// A text with its macros replaced, and what is wrong with them. Without a backquote it is the text itself.
    pub fn expand(&self, source: SourceText) -> (SourceText, Vec<Diagnostic>) {
        if !source.text().contains('`') {
            return (source, Vec::new());
        }
        let mut expander = Expander::new(&self.0, &source);
        expander.file(source.text());
        let (text, pieces, diagnostics) = expander.done();
        (source.made_into(text, pieces), diagnostics)
    }
}
