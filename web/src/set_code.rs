//! Code as its text, compiled.

use serde::Deserialize;
use serde_json::json;
use unreal_packages::compile::Diagnostic;
use unreal_packages::edit::Edit;
use unreal_packages::make::Maker;
use unreal_packages::package::Package;

use crate::failure::{Failure, Result};
use crate::tree::grouped;

/// Another text for a function, a state or the default values of a class.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CodeText {
    pub object: String,
    pub text: String,
}

impl CodeText {
    /// Compiles the text with the declarations of the other packages; returns the change in words.
    pub fn carry_out(
        &self,
        edit: &mut Edit,
        file: &str,
        others: &[(String, Package)],
    ) -> Result<String> {
        let own = stem(file);
        let mut maker = Maker::of_package(own, edit)?;
        for (name, package) in others {
            maker.environment(stem(name), package)?;
        }
        let shown = self.file();
        let done = maker.set_code(edit, &self.object, &shown, &self.text)?;
        if done.has_errors() {
            return Err(refused(&done.diagnostics));
        }
        let mut lines: Vec<String> = done.diagnostics.iter().map(ToString::to_string).collect();
        for object in &done.objects {
            let [old, new] = object.sizes.map(|size| grouped(size as usize));
            lines.push(match object.is_changed {
                false => format!("{}: the same as before", object.object),
                true => format!("{}: {new} bytes in memory, were {old}", object.object),
            });
        }
        Ok(lines.join("; "))
    }

    /// The name of the file with the text, for the command.
    pub fn file(&self) -> String {
        format!("{}.uc", self.object.rsplit('.').next().unwrap_or_default())
    }
}

/// The errors of a text, each with its line.
fn refused(diagnostics: &[Diagnostic]) -> Failure {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|it| it.is_error()).collect();
    let count = match errors.len() {
        1 => "1 error".to_owned(),
        count => format!("{} errors", grouped(count)),
    };
    let places = errors.iter().map(|it| {
        json!({ "line": it.line, "column": it.column, "length": it.length, "message": it.message,
                "hint": it.hint })
    });
    let next = "Classes of other packages are known once those are open or listed here.";
    let failure = Failure::new(format!("the text has {count}"), next);
    Failure { kind: "code", places: places.collect(), ..failure }
}

/// A file's name without its extension.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
