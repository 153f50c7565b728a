//! Rules of a project's own, for `upk doctor`: `[[rules]]` in `upk.toml`.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use unreal_packages::environment::{DoctorRule, Severity};

use crate::args::OpenArgs;

/// Bytes of a compiled expression at most, and rules of one file: the file may come from anywhere.
const LARGEST_EXPRESSION: usize = 1 << 20;
/// Rules of one file at most.
pub const MOST_RULES: usize = 256;

/// A rule as it is written: for which packages and objects it is, and what these must be like.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OwnRule {
    /// What its findings are called.
    pub code: String,
    /// How bad they are: `note`, `warning` or `error`.
    pub severity: Option<String>,
    /// What is wrong, for people.
    pub message: Option<String>,
    /// Packages by their path, as a pattern: `/Game/UI/**`.
    #[serde(rename = "in")]
    pub within: Option<String>,
    /// Objects by the name of their class, as a pattern.
    pub class: Option<String>,
    /// What the name of such an object must be like, as a pattern.
    pub name: Option<String>,
    /// The same as a regular expression, of the whole name.
    pub name_regex: Option<String>,
    /// Packages that these may not refer to, as patterns of their paths.
    #[serde(default)]
    pub forbid: Vec<String>,
    /// How large their files may be: bytes, or `4M`.
    pub max_size: Option<String>,
    /// Tags of the asset registry that such an object must have.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// A rule that was read, with its patterns made ready.
#[derive(Debug, Clone)]
pub struct CompiledRule {
    /// What its findings are called.
    pub code: String,
    /// How bad they are.
    pub severity: Severity,
    /// What is wrong, for people.
    pub message: Option<String>,
    /// Packages.
    pub within: Option<Regex>,
    /// Classes.
    pub class: Option<Regex>,
    /// What must hold.
    pub check: OwnCheck,
}

/// What must hold.
#[derive(Debug, Clone)]
pub enum OwnCheck {
    /// Names of objects are so, as it is written.
    Name(Regex, String),
    /// Nothing like this is referred to.
    Forbidden(Vec<Regex>),
    /// Files have this many bytes at most.
    Size(u64),
    /// Objects have these tags.
    Tags(Vec<String>),
}

impl OwnRule {
    /// The rule with its patterns made ready.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn compiled(&self) -> Result<CompiledRule, String> {
        let code = &self.code;
        let wrong = |reason: String| format!("rule '{code}': {reason}");
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let starts = code.starts_with(|c: char| c.is_ascii_lowercase());
        if !starts || code.len() > 64 || !code.chars().all(is_word) {
            return Err(wrong("a code is up to 64 small letters, digits and dashes".to_owned()));
        }
        // Or what is wrong could be called what it is not, and be less bad than it is.
        if DoctorRule::of(code).is_some() {
            return Err(wrong("a rule of `upk doctor` has this code".to_owned()));
        }
        let severity = match &self.severity {
            Some(word) => word.parse().map_err(|error| wrong(format!("{error}")))?,
            None => Severity::Warning,
        };
        let pattern = |text: &Option<String>| text.as_deref().map(path_pattern).transpose();
        let within = pattern(&self.within).map_err(wrong)?;
        let class = pattern(&self.class).map_err(wrong)?;
        let mut checks = Vec::new();
        if let Some(text) = &self.name {
            let found = glob(text, false).map_err(wrong)?;
            checks.push(OwnCheck::Name(found, text.clone()));
        }
        if let Some(text) = &self.name_regex {
            let found = expression(&format!("^(?:{text})$"), false).map_err(wrong)?;
            checks.push(OwnCheck::Name(found, text.clone()));
        }
        if !self.forbid.is_empty() {
            let all: Result<_, _> = self.forbid.iter().map(|text| path_pattern(text)).collect();
            checks.push(OwnCheck::Forbidden(all.map_err(wrong)?));
        }
        if let Some(text) = &self.max_size {
            checks.push(OwnCheck::Size(OpenArgs::size(text).map_err(wrong)?));
        }
        if !self.tags.is_empty() {
            checks.push(OwnCheck::Tags(self.tags.clone()));
        }
        let (Some(check), None) = (checks.pop(), checks.pop()) else {
            let reason = "it has one of name, name-regex, forbid, max-size and tags";
            return Err(wrong(reason.to_owned()));
        };
        let (code, message) = (code.clone(), self.message.clone());
        Ok(CompiledRule { code, severity, message, within, class, check })
    }
}

/// A pattern of paths: `*` and `?` stand for what is no slash, `**` for anything.
fn path_pattern(text: &str) -> Result<Regex, String> {
    glob(text, true)
}

fn glob(text: &str, ignores_case: bool) -> Result<Regex, String> {
    let mut pattern = String::from("^");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' if chars.next_if_eq(&'*').is_some() => pattern.push_str(".*"),
            '*' => pattern.push_str("[^/]*"),
            '?' => pattern.push_str("[^/]"),
            c => pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    pattern.push('$');
    expression(&pattern, ignores_case)
}

/// Matching is linear in the text, whatever the expression says.
fn expression(text: &str, ignores_case: bool) -> Result<Regex, String> {
    let built = RegexBuilder::new(text)
        .case_insensitive(ignores_case)
        .size_limit(LARGEST_EXPRESSION)
        .build();
    built.map_err(|error| {
        error.to_string().lines().last().unwrap_or("it is no regular expression").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stop_at_slashes() {
        for (pattern, path, matches) in [
            ("/Game/UI/*", "/Game/UI/Menu", true),
            ("/Game/UI/*", "/Game/UI/Menus/Main", false),
            ("/Game/UI/**", "/game/ui/Menus/Main", true),
            ("/Game/?I/**", "/Game/UI/A.B", true),
            ("/Game.UI/*", "/GamexUI/A", false),
        ] {
            assert_eq!(path_pattern(pattern).unwrap().is_match(path), matches, "{pattern} {path}");
        }
        assert!(glob("T_*", false).unwrap().is_match("T_Rock"));
        assert!(!glob("T_*", false).unwrap().is_match("t_Rock"));
    }

    #[test]
    fn wrong_rules_say_what_is_wrong() {
        let rule = |code: &str| OwnRule { code: code.to_owned(), ..OwnRule::default() };
        let named = |code: &str| OwnRule { name: Some("T_*".to_owned()), ..rule(code) };
        let regex = |text: &str| OwnRule { name_regex: Some(text.to_owned()), ..rule("x") };
        for (wrong, reason) in [
            (named("Package Missing"), "small letters"),
            (named("package-missing"), "a rule of `upk doctor` has this code"),
            (rule("x"), "one of name"),
            (OwnRule { max_size: Some("4".into()), ..named("x") }, "one of name"),
            (OwnRule { max_size: Some("4X".into()), ..rule("x") }, "X is no unit"),
            (OwnRule { severity: Some("bad".into()), ..named("x") }, "'bad' is none of"),
            (regex("("), "unclosed group"),
            (regex("(a{1000}){1000}"), "size limit"),
        ] {
            let error = wrong.compiled().unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
