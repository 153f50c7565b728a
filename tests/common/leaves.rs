//! Documents of packages with one leaf changed: whatever the change leaves in the saved package, comparing shows it.

use std::collections::BTreeMap;

use serde_json::Value;
use unreal_packages::Package;
use unreal_packages::compare::{Difference, canonical, diff};
use unreal_packages::package::{OpenOptions, SaveOptions};

/// Fields that no comparison shows though a save keeps them: how their place in a document begins and ends, without
/// the numbers in it, each with its reason. All but the last say where something stands, and saving moves them along
/// with what stands there.
const NOT_SHOWN: &[(&str, &str, &str)] = &[
    ("/stored/places", "", "places of sections"),
    ("/stored/length", "", "the length of the file"),
    ("/thumbnail_images/size", "", "sizes of thumbnails"),
    ("/thumbnail_images/start", "", "places of thumbnails"),
    ("/exports/stored", "serial_size", "sizes of bodies"),
    ("/exports/stored", "serial_offset", "places of bodies"),
    ("/exports/stored", "script_serialization_start_offset", "places within bodies"),
    ("/exports/stored", "script_serialization_end_offset", "places within bodies"),
    ("/exports", "properties/property_name", "rows of equal names that end a list"),
    ("/stored/summary", "_offset", "places of sections"),
    ("/stored/summary", "_count", "rows of sections"),
    ("/stored/summary", "total_header_size", "where the tables end"),
    // One that skips others than it did is shown by the properties behind it, if there are any.
    ("/exports", "properties/header", "properties that are skipped at the end"),
];

/// What came of the leaves that were changed.
#[derive(Debug, Default)]
pub struct Swept {
    /// Leaves of the document.
    pub leaves: u64,
    /// Changes that are no package: counts of elements that are not there, numbers beyond a table.
    pub refused: u64,
    /// Fields that saving makes anew.
    pub made_anew: u64,
    /// Changes that both the comparison and the text show.
    pub shown: u64,
    /// Changes that the list above names, by their reason.
    pub known: BTreeMap<&'static str, u64>,
    /// Changes that one of them hides.
    pub hidden: Vec<String>,
}

impl Swept {
    pub fn add(&mut self, other: Self) {
        self.leaves += other.leaves;
        self.refused += other.refused;
        self.made_anew += other.made_anew;
        self.shown += other.shown;
        other
            .known
            .into_iter()
            .for_each(|(reason, count)| *self.known.entry(reason).or_default() += count);
        self.hidden.extend(other.hidden);
    }
}

impl std::fmt::Display for Swept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { leaves, refused, made_anew, shown, known, hidden } = self;
        let hidden = hidden.len();
        write!(
            f,
            "{leaves} leaves: {shown} shown, {made_anew} made anew, {refused} refused, {hidden} hidden"
        )?;
        known.iter().try_for_each(|(reason, count)| write!(f, "; {count} {reason}"))
    }
}

/// Numbers from a fixed start, so that a failure comes back.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// The text that git compares.
fn text(package: &Package) -> String {
    let mut text = String::new();
    let each = |part: &str| {
        text.push_str(part);
        Ok::<_, std::convert::Infallible>(())
    };
    let Ok(()) = canonical(package, each);
    text
}

/// The places of all numbers, texts and truth values, as pointers.
fn leaves(value: &Value, place: &mut String, found: &mut Vec<String>) {
    let length = place.len();
    match value {
        Value::Null => {}
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                place.push_str(&format!("/{index}"));
                leaves(value, place, found);
                place.truncate(length);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                place.push_str(&format!("/{}", name.replace('~', "~0").replace('/', "~1")));
                leaves(value, place, found);
                place.truncate(length);
            }
        }
        _ => found.push(place.clone()),
    }
}

/// The name of the field that a place belongs to.
fn field(place: &str) -> &str {
    let is_number = |step: &&str| step.bytes().all(|byte| byte.is_ascii_digit());
    place.rsplit('/').find(|step| !is_number(step)).unwrap_or_default()
}

/// Other values for a leaf; `others` are what stands at fields of the same name.
fn changes(leaf: &Value, others: &[String], numbers: &mut Numbers) -> Vec<Value> {
    match leaf {
        Value::Bool(flag) => vec![Value::Bool(!flag)],
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => {
                vec![(number.wrapping_add(1)).into(), (number.wrapping_sub(1)).into()]
            }
            (_, Some(number), _) => vec![(number - 1).into()],
            (.., Some(number)) => vec![(number + 1.0).into(), (number / 2.0).into()],
            _ => Vec::new(),
        },
        Value::String(text) => {
            let is_hex = text.len() > 1
                && text.len() % 2 == 0
                && text.bytes().all(|it| it.is_ascii_hexdigit());
            let mut changes = Vec::new();
            if is_hex {
                let last = if text.ends_with('0') { '1' } else { '0' };
                changes.push(format!("{}{last}", &text[..text.len() - 1]));
            }
            if !others.is_empty() {
                let other = &others[numbers.below(others.len())];
                changes.extend((!other.eq_ignore_ascii_case(text)).then(|| other.clone()));
            }
            changes.push(format!("{text}x"));
            changes.into_iter().map(Value::String).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a comparison has more to say than that something is stored in another form.
fn is_shown(old: &Package, new: &Package) -> bool {
    let diff = diff(old, new);
    let is_more = |change: &Difference| !matches!(change, Difference::Form);
    let changed = diff.changed.iter().any(|object| object.changes.iter().any(is_more));
    let tables = !(diff.header.is_empty() && diff.added.is_empty() && diff.removed.is_empty());
    changed || tables || !diff.renamed.is_empty()
}

/// Changes up to so many leaves of a package, one at a time; each where the package is saved otherwise then must be
/// shown.
pub fn sweep(package: &Package, options: &OpenOptions, seed: u64, most: usize) -> Swept {
    let mut swept = Swept::default();
    let mut bytes = Vec::new();
    package.to_json(&mut bytes, false).unwrap();
    let mut document: Value = serde_json::from_slice(&bytes).unwrap();
    let mut places = Vec::new();
    leaves(&document, &mut String::new(), &mut places);
    let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for place in &places {
        if let Some(Value::String(word)) = document.pointer(place) {
            let words = words.entry(field(place).to_owned()).or_default();
            if words.len() < 1000 && !words.contains(word) {
                words.push(word.clone());
            }
        }
    }
    swept.leaves = places.len() as u64;
    let mut numbers = Numbers(seed | 1);
    let chosen: Vec<String> = match places.len() <= most {
        true => places,
        false => (0..most).map(|_| places[numbers.below(places.len())].clone()).collect(),
    };
    let before = text(package);
    for place in chosen {
        let leaf = document.pointer(&place).unwrap().clone();
        let others = words.get(field(&place)).map(Vec::as_slice).unwrap_or_default();
        let mut result = None;
        for change in changes(&leaf, others, &mut numbers) {
            *document.pointer_mut(&place).unwrap() = change.clone();
            let saved = Package::from_json_with(
                document.to_string().as_bytes(),
                package.mappings().cloned(),
            )
            .and_then(|package| package.save(&SaveOptions::new()));
            let Ok(saved) = saved else { continue };
            if saved.bytes == package.file() {
                result = result.or(Some((change, None)));
                continue;
            }
            if let Ok(other) = options.clone().open_bytes(saved.bytes) {
                result = Some((change, Some(other)));
                break;
            }
        }
        *document.pointer_mut(&place).unwrap() = leaf.clone();
        let Some((change, other)) = result else {
            swept.refused += 1;
            continue;
        };
        let Some(other) = other else {
            swept.made_anew += 1;
            continue;
        };
        let shown = [is_shown(package, &other), text(&other) != before];
        if shown == [true; 2] {
            swept.shown += 1;
        } else if let Some((.., reason)) =
            NOT_SHOWN.iter().find(|(start, end, _)| is_known(&place, start, end))
        {
            *swept.known.entry(reason).or_default() += 1;
        } else {
            let [diff, text] = shown.map(|shown| if shown { "shows" } else { "hides" });
            swept
                .hidden
                .push(format!("{place}: {leaf} to {change}: diff {diff}, the text {text} it"));
        }
    }
    swept
}

/// Whether a place without the numbers in it begins and ends so.
fn is_known(place: &str, start: &str, end: &str) -> bool {
    let steps = place
        .split('/')
        .filter(|step| step.is_empty() || !step.bytes().all(|byte| byte.is_ascii_digit()));
    let place = steps.collect::<Vec<_>>().join("/");
    place.starts_with(start) && place.ends_with(end)
}
