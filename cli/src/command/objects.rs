//! Objects that a command is about: paths, wildcards, conditions, lists in files.

use std::collections::HashSet;
use std::path::Path;

use clap::Args;
use unreal_packages::inspect::{Condition, Defaults, PackageValues, has_wildcards};
use unreal_packages::package::Package;

use super::set::condition;
use crate::args::{OpenArgs, read_text};
use crate::failure::Failure;

/// Stands before the name of a file with a path on each line.
const LIST: char = '@';

/// Which objects of those that paths with wildcards mean.
#[derive(Debug, Args)]
pub struct WhereArgs {
    /// Of objects that wildcards mean, only those that are so: class==Light && LightHue<30 (may be repeated: all must
    /// be so)
    #[arg(long = "where", value_name = "CONDITION", value_parser = condition)]
    conditions: Vec<Condition>,
}

impl WhereArgs {
    /// Whether conditions were given.
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Whether these words may mean several objects.
    pub fn is_query(&self, words: &[String]) -> bool {
        !self.conditions.is_empty()
            || words.len() > 1
            || words.iter().any(|word| has_wildcards(word) || word.starts_with(LIST))
    }

    /// The objects that the words mean, as rows (#12), each once; an error for a word that means none.
    pub fn objects(
        &self,
        words: &[String],
        package: &Package,
        open: &OpenArgs,
        file: &Path,
    ) -> Result<Vec<String>, Failure> {
        let defaults = open.defaults(file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        let values = package.values().with_defaults(defaults);
        let (mut rows, mut given) = (Vec::new(), HashSet::new());
        for word in listed(words)? {
            let found = match has_wildcards(&word) || !self.conditions.is_empty() {
                true => values.select(&word, &self.conditions)?.rows,
                false => vec![package.find_export(&word)?],
            };
            if found.is_empty() {
                let next = "`upk list FILE --where CONDITION` shows what fits";
                return Err(Failure::failed(format!("nothing fits '{word}'\n  next: {next}")));
            }
            rows.extend(found.into_iter().filter(|row| given.insert(*row)));
        }
        Ok(rows.into_iter().map(|row: usize| format!("#{row}")).collect())
    }
}

/// The words, and in the place of a file's name its lines.
fn listed(words: &[String]) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for word in words {
        match word.strip_prefix(LIST) {
            Some(file) => {
                let text = read_text(Path::new(file))?;
                let lines = text.lines().map(str::trim);
                let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("# "));
                all.extend(lines.map(str::to_owned));
            }
            None => all.push(word.clone()),
        }
    }
    Ok(all)
}
