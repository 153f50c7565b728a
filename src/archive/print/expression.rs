//! Conditions as other languages write them.

/// A word of conditions, and what stands for it in one version: `("ar.versions().file", "69")`.
pub type Fact<'a> = (&'a str, String);

/// A condition on plain fields and numbers, as C and its kin write it; `None` for one that calls functions or knows
/// more than the fields before it.
pub fn plain(written: &str, facts: &[Fact<'_>]) -> Option<String> {
    let mut plain = written.replace("self.", "").replace(".value()", ".value");
    for (word, value) in facts {
        plain = plain.replace(word, value);
    }
    // Fields of variants are references.
    let plain =
        plain.trim_start_matches('*').replace("& *", "& ").replace("(*", "(").replace("!*", "!");
    let plain = plain.replace("&& *", "&& ").replace("|| *", "|| ");
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_ &|!=<>()+-.".contains(it);
    let calls = plain.contains("()")
        || plain.char_indices().any(|(at, it)| {
            let before = plain.get(..at).unwrap_or_default();
            it == '(' && before.ends_with(|before: char| before.is_ascii_alphanumeric())
        });
    let knows_archive = plain.split(|it: char| !it.is_alphanumeric()).any(|word| word == "ar");
    let is_upper = |word: &str| word.starts_with(|it: char| it.is_ascii_uppercase());
    let names = plain.split(|it: char| !it.is_alphanumeric() && it != '_').any(is_upper);
    // A product has spaces around its sign; what points has none.
    let sums = [" * ", " / ", " % "].iter().fold(plain.clone(), |sums, it| sums.replace(it, " + "));
    (sums.chars().all(is_plain) && !calls && !knows_archive && !names).then_some(plain)
}
