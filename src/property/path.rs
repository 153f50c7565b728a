//! The way to a value within an object's properties: `Prop`, `Prop[3]`, `Struct.Field`, `Array[2].Field`.

use crate::error::{ErrorKind, Result};

/// One part of a path: a name and what stands in brackets behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The property or field.
    pub name: String,
    /// Elements, outermost first.
    pub indices: Vec<u32>,
}

impl Segment {
    /// The parts of a path.
    ///
    /// # Errors
    /// `Invalid` for an empty name and for brackets that hold no number.
    pub(crate) fn parse_all(path: &str) -> Result<Vec<Self>> {
        const LONGEST: usize = 64;
        if path.split('.').nth(LONGEST).is_some() {
            let reason = format!("a way to a property has at most {LONGEST} parts");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        path.split('.').map(|part| Self::parse(part, path)).collect()
    }

    fn parse(part: &str, path: &str) -> Result<Self> {
        let wrong = || {
            let reason = format!(
                "'{path}' is no way to a property: write Name, Name[3], Struct.Field or Array[2].Field"
            );
            crate::Error::from(ErrorKind::Invalid { reason })
        };
        let (name, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        let mut indices = Vec::new();
        while let Some(inner) = rest.strip_prefix('[') {
            let (number, after) = inner.split_once(']').ok_or_else(wrong)?;
            indices.push(number.trim().parse().map_err(|_| wrong())?);
            rest = after;
        }
        if name.trim().is_empty() || !rest.is_empty() {
            return Err(wrong());
        }
        Ok(Self { name: name.trim().to_owned(), indices })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_brackets() {
        let parts = Segment::parse_all("Skins[2][1].Field").unwrap();
        assert_eq!(parts[0], Segment { name: "Skins".to_owned(), indices: vec![2, 1] });
        assert_eq!(parts[1], Segment { name: "Field".to_owned(), indices: vec![] });
        for wrong in ["", ".", "A.", "A[", "A[x]", "A[1", "A[1]b", "[1]", "A[-1]", "A[99999999999]"]
        {
            assert!(Segment::parse_all(wrong).is_err(), "{wrong}");
        }
        assert!(Segment::parse_all(&"A.".repeat(100_000)).is_err());
    }
}
