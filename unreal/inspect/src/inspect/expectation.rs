//! Conditions on a whole package: `count(Light*) > 3 && LevelSummary.Title == "Arena"`.

use super::effective::EffectiveValues;
use super::formula::{Answer, Formula, FormulaNumber, Subject};
use super::query::Condition;
use super::values::Values;
use crate::error::{Error, Result};

/// The word that stands for a count while the rest is parsed: a colon is no character of what a property is called.
const COUNT: &str = "count:";

/// A condition on a package: an expression whose words are `OBJECT.PROPERTY`, and in which `count(PATTERN)` and
/// `count(PATTERN, CONDITION)` are numbers of objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    text: String,
    counts: Vec<ObjectCount>,
    formula: Formula,
}

/// The objects that a `count(…)` counts.
#[derive(Debug, Clone, PartialEq)]
struct ObjectCount {
    text: String,
    pattern: String,
    conditions: Vec<Condition>,
}

impl std::str::FromStr for Expectation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (mut counts, mut rest, mut formula) = (Vec::new(), text, String::new());
        while let Some(at) = count_in(rest) {
            let inner = &rest[at + "count(".len()..];
            let Some(end) = closing(inner) else {
                let shown = &rest[at..];
                return Err(Error::invalid(format!("'{shown}': the parenthesis is not closed")));
            };
            formula.push_str(&rest[..at]);
            formula.push_str(&format!("{COUNT}{}", counts.len()));
            counts.push(ObjectCount::parse(&inner[..end])?);
            rest = &inner[end + 1..];
        }
        formula.push_str(rest);
        let formula = formula.parse().map_err(|error: Error| match counts.is_empty() {
            true => error,
            false => Error::invalid(format!("'{text}' is no condition: {error}")),
        })?;
        Ok(Self { text: text.trim().to_owned(), counts, formula })
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl ObjectCount {
    fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let (pattern, condition) = match text.split_once(',') {
            Some((pattern, condition)) => (pattern.trim(), Some(condition.trim())),
            // A condition alone is asked of all objects.
            None if text.contains(['=', '<', '>', '~']) => ("*", Some(text)),
            None => (text, None),
        };
        let pattern = pattern.trim_matches('"');
        if pattern.is_empty() {
            return Err(Error::invalid("count() counts nothing: write count(Light*)"));
        }
        let conditions = condition.map(str::parse).transpose()?.into_iter().collect();
        Ok(Self { text: format!("count({text})"), pattern: pattern.to_owned(), conditions })
    }
}

/// Where `count(` begins, outside of texts and other words.
fn count_in(text: &str) -> Option<usize> {
    let (mut quoted, mut before) = (false, ' ');
    for (at, character) in text.char_indices() {
        let is_word = before.is_alphanumeric() || matches!(before, '_' | '.');
        let begins = text.get(at..at + 6).is_some_and(|it| it.eq_ignore_ascii_case("count("));
        if !quoted && !is_word && begins {
            return Some(at);
        }
        quoted ^= character == '"' && before != '\\';
        before = character;
    }
    None
}

/// Where the parenthesis ends in which the text begins.
fn closing(text: &str) -> Option<usize> {
    let (mut quoted, mut depth, mut before) = (false, 0_usize, ' ');
    for (at, character) in text.char_indices() {
        match character {
            '"' if before != '\\' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth == 0 => return Some(at),
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        before = character;
    }
    None
}

/// A package as an expectation sees it.
struct PackageSubject<'v, 'a> {
    values: &'v Values<'a>,
    effective: EffectiveValues<'a>,
    /// The numbers that `count:N` stand for.
    counts: Vec<usize>,
    texts: &'v [ObjectCount],
    /// The values that were asked for, as a report shows them.
    found: Vec<String>,
}

impl PackageSubject<'_, '_> {
    fn split<'t>(&mut self, path: &'t str) -> Option<(usize, &'t str)> {
        let package = self.values.package;
        let found = self.values.split_property_path(path);
        let found =
            found.and_then(|(object, property)| Ok((package.find_export(object)?, property)));
        if let Err(error) = &found {
            self.found.push(error.to_string());
        }
        found.ok()
    }
}

impl Subject for PackageSubject<'_, '_> {
    fn value(&mut self, path: &str) -> Answer {
        if let Some(at) = path.strip_prefix(COUNT).and_then(|at| at.parse::<usize>().ok())
            && let (Some(&count), Some(text)) = (self.counts.get(at), self.texts.get(at))
        {
            self.found.push(format!("{} is {count}", text.text));
            return Answer::Number(FormulaNumber::Whole(count as i128));
        }
        let Some((row, property)) = self.split(path) else { return Answer::Unknown };
        let answer = self.effective.subject(row).value(property);
        self.found.push(match &answer {
            Answer::Unknown => format!("nothing says {path}"),
            answer => format!("{path} is {}", answer.text()),
        });
        answer
    }

    fn stores(&mut self, path: &str) -> bool {
        let Some((row, property)) = self.split(path) else { return false };
        let stores = self.effective.subject(row).stores(property);
        self.found.push(format!("{path} is {}stored", if stores { "" } else { "not " }));
        stores
    }

    fn is(&mut self, path: &str, text: &str) -> Option<bool> {
        let (row, property) = self.split(path)?;
        let found = self.effective.subject(row).is(property, text)?;
        self.found.push(format!("{path} is {}{text}", if found { "" } else { "not " }));
        Some(found)
    }
}

impl Values<'_> {
    /// Why the package is not as an expectation says: the values that it was asked for; `None` where it is. An object
    /// that is not there, or a value that nothing says, is not as expected.
    ///
    /// # Errors
    /// As [`Formula::evaluate`]: values that do not fit their operator.
    pub fn unmet(&self, expectation: &Expectation) -> Result<Option<String>> {
        let mut counts = Vec::new();
        for count in &expectation.counts {
            counts.push(self.select(&count.pattern, &count.conditions)?.rows.len());
        }
        let effective = self.effective();
        let texts = &expectation.counts;
        let mut subject =
            PackageSubject { values: self, effective, counts, texts, found: Vec::new() };
        match expectation.formula.holds(&mut subject)? {
            Some(true) => Ok(None),
            _ => Ok(Some(subject.found.join(", "))),
        }
    }
}
