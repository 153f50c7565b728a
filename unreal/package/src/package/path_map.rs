//! Old paths and what they become: packages, and objects within them.

/// The last part of a package's path: what its main asset is called as well.
#[doc(hidden)]
pub fn short_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Old and new paths of one package and of the objects in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct PathMap {
    /// The old path of the package; empty where it is not known.
    pub old: String,
    /// Its new path.
    pub new: String,
    /// Whether the path of the package alone changes, and that of objects which are not listed.
    pub whole: bool,
    /// Old and new paths of objects within it, `Map.PersistentLevel.Lamp`, as many parts in both.
    pub objects: Vec<(String, String)>,
}

/// The main asset of a package, and the class and defaults that a blueprint has beside it.
#[doc(hidden)]
pub fn family(old: &str, new: &str) -> Vec<(String, String)> {
    ["", "SKEL_", "Default__", "Default__SKEL_"]
        .into_iter()
        .flat_map(|head| ["", "_C"].map(|tail| (head, tail)))
        .map(|(head, tail)| (format!("{head}{old}{tail}"), format!("{head}{new}{tail}")))
        .collect()
}

impl PathMap {
    /// One package for another, and with it the assets that are called like it.
    pub fn of_package(old: &str, new: &str) -> Self {
        Self {
            objects: family(short_name(old), short_name(new)),
            whole: true,
            old: old.to_owned(),
            new: new.to_owned(),
        }
    }

    /// One object, `/Game/Old.Old`, for another, with all that lies in it.
    pub fn of_object(old: (&str, &str), new: (&str, &str)) -> Self {
        Self {
            old: old.0.to_owned(),
            new: new.0.to_owned(),
            whole: false,
            objects: vec![(old.1.to_owned(), new.1.to_owned())],
        }
    }

    /// The new path of an object within the package; colons stay colons.
    pub fn object(&self, path: &str) -> Option<String> {
        let fits = |old: &str| {
            let head = path.get(..old.len())?;
            let same = |(a, b): (u8, u8)| {
                let dot = |byte: u8| if byte == b':' { b'.' } else { byte.to_ascii_lowercase() };
                dot(a) == dot(b)
            };
            let rest = &path[old.len()..];
            let ends = rest.is_empty() || rest.starts_with(['.', ':']);
            (ends && head.bytes().zip(old.bytes()).all(same)).then_some(rest)
        };
        let longest = self.objects.iter().filter(|(old, _)| !old.is_empty());
        let longest = longest.filter_map(|(old, new)| Some((old.len(), new, fits(old)?)));
        let (length, new, rest) = longest.max_by_key(|(length, ..)| *length)?;
        let parts: Vec<&str> = new.split(['.', ':']).collect();
        let depth = path[..length].split(['.', ':']).count();
        if depth != parts.len() {
            // At another depth the colon has another place: behind the object at the top.
            let rest = rest.replace(':', ".");
            return Some(format!("{}{rest}", parts.join(".")).replacen('.', ":", 1));
        }
        let mut separators = path[..length].chars().filter(|c| ['.', ':'].contains(c));
        let mut text = String::new();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                text.push(separators.next().unwrap_or('.'));
            }
            text.push_str(part);
        }
        text.push_str(rest);
        Some(text)
    }

    /// False for the characters of a path that surely stays, as [`FString::comparable`] gives them: most
    /// paths do.
    ///
    /// [`FString::comparable`]: crate::primitive::FString
    pub fn may_change(&self, path: &[u8]) -> bool {
        let heads = self.objects.iter().map(|(old, _)| old).chain([&self.old]);
        let mut heads = heads.filter(|head| !head.is_empty());
        let dot = |byte: &u8| if *byte == b':' { b'.' } else { byte.to_ascii_lowercase() };
        heads.any(|head| {
            // Other letters may be stored otherwise.
            !head.is_ascii()
                || path.len() >= head.len()
                    && head.bytes().zip(path).all(|(a, b)| dot(&a) == dot(b))
        })
    }

    /// The new form of a path that starts with the package; `None` where it stays.
    pub fn path(&self, path: &str) -> Option<String> {
        if self.old.is_empty() {
            return None;
        }
        let head = path.get(..self.old.len())?;
        if !head.eq_ignore_ascii_case(&self.old) {
            return None;
        }
        let rest = &path[self.old.len()..];
        let mapped = match rest.strip_prefix('.') {
            None if rest.is_empty() => self.whole.then(|| self.new.clone()),
            None => None,
            Some(object) => match self.object(object) {
                Some(object) => Some(format!("{}.{object}", self.new)),
                None => self.whole.then(|| format!("{}{rest}", self.new)),
            },
        };
        mapped.filter(|mapped| mapped != path)
    }

    /// A longer text with every path in it that changes; `None` where none does.
    pub fn text(&self, text: &str) -> Option<String> {
        if self.old.is_empty() {
            return None;
        }
        let (lower, old) = (text.to_ascii_lowercase(), self.old.to_ascii_lowercase());
        let mut out = String::new();
        let (mut done, mut from) = (0, 0);
        while let Some(at) = lower[from..].find(&old).map(|at| at + from) {
            from = at + old.len();
            let before = text[..at].chars().next_back();
            let inside = |c: char| c.is_alphanumeric() || "_/\\:.-".contains(c);
            if before.is_some_and(inside) {
                continue;
            }
            let path_end = |c: char| !(c.is_alphanumeric() || "_.:-".contains(c));
            let end = text[from..].find(path_end).map_or(text.len(), |end| from + end);
            // A folder of that name, and the full stop of a sentence.
            if text[end..].starts_with('/') {
                continue;
            }
            let path = text[at..end].trim_end_matches(['.', ':', '-']);
            let Some(mapped) = self.path(path) else { continue };
            out.push_str(&text[done..at]);
            out.push_str(&mapped);
            done = at + path.len();
            from = done;
        }
        (done > 0).then(|| out + &text[done..])
    }
}
