//! The place that the page opens with.

use std::fmt::{self, Display, Write};

/// `#FILE/path:OBJECT`, as the page's own addresses are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    file: String,
    object: String,
}

impl Address {
    /// The address of an object by its path; `file` is what the page calls the package.
    pub fn new(file: &str, object: &str) -> Self {
        Self { file: file.to_owned(), object: object.to_owned() }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('#')?;
        encode(&self.file, f)?;
        f.write_str("/path:")?;
        encode(&self.object, f)
    }
}

/// All but letters, digits and `-_.~` as bytes: what stands in an address, an attribute and a text alike.
fn encode(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                f.write_char(char::from(byte))?;
            }
            _ => write!(f, "%{byte:02X}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_it_ends_an_attribute_or_a_part() {
        let address = Address::new("A&\"<b>.utx", "Wände.Ziegel/\"></script>#1");
        assert_eq!(
            address.to_string(),
            "#A%26%22%3Cb%3E.utx/path:W%C3%A4nde.Ziegel%2F%22%3E%3C%2Fscript%3E%231"
        );
    }
}
