//! Which values a path with wildcards means.

use super::effective::EffectiveValues;
use super::formula::Formula;
use super::meaning::ObjectLookup;
use super::values::Values;
use crate::error::near::did_you_mean;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::meaning::ReferenceTexts;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::{EngineClasses, PathPart, Surroundings, part_text, splits};

/// What objects must be like, beside their names: an [`Formula`] that is true of them.
///
/// As text: `class==Light && LightHue<30`. A single `=` compares as well, and what stands behind it may then be any
/// text: `Tag=Hall of fame`.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition(Formula);

impl Condition {
    /// The expression.
    pub fn expression(&self) -> &Formula {
        &self.0
    }
}

impl std::str::FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let failed = match text.parse() {
            Ok(expression) => return Ok(Self(expression)),
            Err(error) => error,
        };
        // The value may be a text that is no expression.
        let plain = crate::property::equals_sign(text).map(|at| (&text[..at], &text[at + 1..]));
        match plain.map(|(name, value)| (name.trim(), value.trim())) {
            Some((name, value))
                if !name.is_empty()
                    && !value.is_empty()
                    && !name.contains(OPERATORS)
                    && !value.contains(OPERATORS) =>
            {
                Ok(Self(Formula::equals(name, value)))
            }
            _ => Err(failed),
        }
    }
}

/// Characters of expressions, which no plain value of a condition has.
const OPERATORS: &[char] = &['&', '|', '<', '>', '=', '!', '~', '(', ')'];

/// The objects that fit a pattern and conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Their rows, ascending.
    pub rows: Vec<usize>,
    /// Objects that nothing decides about: they do not store a value that a condition asks for, and the defaults of
    /// their class are not known.
    pub undecided: Vec<usize>,
}

/// Whether a text has wildcards: `*` stands for any characters, `?` for one.
pub fn has_wildcards(text: &str) -> bool {
    crate::property::outside(text).any(|(_, character)| matches!(character, '*' | '?'))
}

/// Whether a text is as the pattern says; case does not matter. Linear in both: a pattern comes back to its
/// last `*` only.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().map(|c| c.to_ascii_lowercase()).collect();
    let text: Vec<char> = text.chars().map(|c| c.to_ascii_lowercase()).collect();
    let (mut at, mut place, mut star) = (0, 0, None);
    while place < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(found) if *found == text[place] || *found == '?' => {
                at += 1;
                place += 1;
            }
            _ => {
                let Some((from, taken)) = star else { return false };
                star = Some((from, taken + 1));
                (at, place) = (from + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|left| *left == '*')
}

/// Whether an object's path is as the pattern says: its last part where the pattern has one part, else each
/// part.
pub fn matches_path(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split(['.', ':']).collect();
    let parts: Vec<&str> = path.split('.').collect();
    match (&pattern[..], &parts[..]) {
        ([one], [.., last]) => matches(one, last),
        _ => {
            pattern.len() == parts.len()
                && pattern.iter().zip(&parts).all(|(pattern, part)| matches(pattern, part))
        }
    }
}

/// Whether a file's path is as the pattern says: all of it, or its end from a folder on; case does not matter. The
/// extension counts where the pattern has one.
pub fn matches_file(pattern: &str, path: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let mut path = path;
    if !name.contains('.') {
        let start = path.rfind('/').map_or(0, |at| at + 1);
        path = path[start..].rfind('.').map_or(path, |at| &path[..start + at]);
    }
    let pattern = pattern.trim_start_matches('/');
    let starts = path.match_indices('/').map(|(at, _)| at + 1);
    std::iter::once(0).chain(starts).any(|start| matches(pattern, &path[start..]))
}

impl Values<'_> {
    /// The objects whose path is as the pattern says and that are as the conditions say, as rows: `Light*`
    /// looks at the last part of paths, `TheWorld.*.Light*` at all parts. Those that a condition is no question for
    /// are left out.
    pub fn matching(&self, pattern: &str, conditions: &[Condition]) -> Vec<usize> {
        let effective = self.effective();
        let is = |row: &usize| {
            matches_path(pattern, &self.package.path(PackageIndex::export(*row)))
                && matches!(fulfil(&effective, *row, conditions), Ok(Some(true)))
        };
        (0..self.package.exports().len()).filter(is).collect()
    }

    /// The same, and the objects about which nothing is known.
    ///
    /// # Errors
    /// As [`Formula::evaluate`](super::Formula::evaluate).
    pub fn select(&self, pattern: &str, conditions: &[Condition]) -> Result<Selection> {
        let effective = self.effective();
        let mut selection = Selection::default();
        for row in 0..self.package.exports().len() {
            if pattern != "*"
                && !matches_path(pattern, &self.package.path(PackageIndex::export(row)))
            {
                continue;
            }
            match fulfil(&effective, row, conditions).map_err(|error| self.of_object(row, error))? {
                Some(true) => selection.rows.push(row),
                Some(false) => {}
                None => selection.undecided.push(row),
            }
        }
        Ok(selection)
    }

    /// Whether an object is as a condition says.
    pub fn fulfils(&self, row: usize, condition: &Condition) -> bool {
        let found = fulfil(&self.effective(), row, std::slice::from_ref(condition));
        matches!(found, Ok(Some(true)))
    }

    /// The objects and the paths within them that a path with wildcards means: `Light*.LightRadius`,
    /// `*.Tag`, `Light1.Light*`. Only objects that store or declare the property count; with `stored` only
    /// those that store it.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub fn expand(
        &self,
        path: &str,
        conditions: &[Condition],
        stored: bool,
    ) -> Result<Vec<(String, String)>> {
        let mut near = String::new();
        for at in splits(path) {
            let (pattern, property) = (&path[..at], &path[at..]);
            let property = property.strip_prefix('.').unwrap_or(property);
            if property.is_empty() {
                continue;
            }
            let rows = match (has_wildcards(pattern), self.package.find_export(pattern)) {
                (true, _) => self.select(pattern, conditions)?.rows,
                (false, Ok(row)) => {
                    let fits = fulfil(&self.effective(), row, conditions);
                    let fits = fits.map_err(|error| self.of_object(row, error))?;
                    (fits == Some(true)).then_some(row).into_iter().collect()
                }
                (false, Err(_)) => continue,
            };
            let mut found = Vec::new();
            // What one object lacks, others of its kind lack, too.
            let first = rows.first().copied();
            for row in rows {
                let object = format!("#{row}");
                for property in self.properties_like(row, &object, property, stored)? {
                    found.push((object.clone(), property));
                }
            }
            if !found.is_empty() {
                return Ok(found);
            }
            let name = property.split(['.', '[', ':']).next().unwrap_or(property);
            if let Some(row) = first.filter(|_| near.is_empty() && !has_wildcards(name)) {
                near = did_you_mean(&self.near_properties(row, name));
            }
        }
        let hint = match stored {
            true => "; no object that fits stores such a value",
            false => "; no object that fits stores or declares such a property",
        };
        let (what, name) = (noun::MATCH, path.to_owned());
        Err(ErrorKind::NotFound { what, name, hint: format!("{hint}{near}") }.into())
    }

    /// The paths within an object that a property with wildcards means.
    fn properties_like(
        &self,
        row: usize,
        object: &str,
        property: &str,
        stored: bool,
    ) -> Result<Vec<String>> {
        if has_wildcards(property) {
            let end = property.find(['.', '[']).unwrap_or(property.len());
            let (pattern, rest) = property.split_at(end);
            let mut names: Vec<String> = Vec::new();
            for known in self.properties(object).unwrap_or_default() {
                let name = known.path.split('[').next().unwrap_or_default().to_owned();
                let path = format!("{}{rest}", part_text(&name));
                if matches(pattern, &name)
                    && !names.contains(&path)
                    && self.stored_property(row, &path).is_ok()
                {
                    names.push(path);
                }
            }
            return Ok(names);
        }
        let path = PathPart::parse_all(property)?;
        let is_there = self.stored_property(row, property).is_ok();
        let declares = || {
            let context = self.package.decoding_context();
            let has_list = self
                .editable(row, &context)
                .is_ok_and(|decoded| self.list_of(row, &mut decoded.body.clone()).is_ok());
            let Some(first) = path.first().filter(|first| has_list && !first.name.is_empty())
            else {
                return false;
            };
            let lookup = ObjectLookup::reading(self.package, context, row);
            lookup.declaration(None, &first.name, first.given.as_ref()).is_ok()
        };
        Ok((is_there || !stored && declares()).then(|| property.to_owned()).into_iter().collect())
    }
}

/// Whether an object is as all conditions say; `None` where a value that decides it is not known.
fn fulfil(
    values: &EffectiveValues<'_>,
    row: usize,
    conditions: &[Condition],
) -> Result<Option<bool>> {
    let mut subject = values.subject(row);
    let mut all = Some(true);
    for condition in conditions {
        match condition.0.holds(&mut subject)? {
            Some(true) => {}
            Some(false) => return Ok(Some(false)),
            None => all = None,
        }
    }
    Ok(all)
}

/// Whether an object is of a class, or of one that derives from it as far as that is known.
pub(super) fn is_of_class(package: &Package, row: usize, class: &str) -> bool {
    if package.class_path(row).eq_ignore_ascii_case(class) {
        return true;
    }
    let name = class.rsplit('.').next().unwrap_or(class);
    let chain = package.class_chain(row);
    if chain.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return true;
    }
    let engine = EngineClasses::of(package.versions());
    let parent = |known: &str| engine.and_then(|engine| engine.parent_of(known));
    chain.iter().any(|known| {
        const DEEPEST: usize = 64;
        std::iter::successors(parent(known), |known| parent(known))
            .take(DEEPEST)
            .any(|known| known.eq_ignore_ascii_case(name))
    })
}
