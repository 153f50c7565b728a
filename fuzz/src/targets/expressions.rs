//! Any text is an expression or an error, and its value is one or an error: whatever values an object has.

use unreal_packages::inspect::{Answer, Condition, Expectation, Formula, FormulaNumber, Subject};

/// Values by the first letter of their path.
struct Letters;

impl Subject for Letters {
    fn value(&mut self, path: &str) -> Answer {
        match path.as_bytes().first().map(|first| first % 6) {
            Some(0) => Answer::Number(FormulaNumber::Whole(i128::MAX)),
            Some(1) => Answer::Number(FormulaNumber::Real(-1.5e300)),
            Some(2) => Answer::Text(path.to_owned()),
            Some(3) => Answer::Truth(path.len().is_multiple_of(2)),
            Some(4) => Answer::Choice(i128::MIN, path.to_owned()),
            _ => Answer::Unknown,
        }
    }

    fn stores(&mut self, path: &str) -> bool {
        path.len() % 2 == 1
    }

    fn is(&mut self, path: &str, text: &str) -> Option<bool> {
        (path == "class").then_some(text.len().is_multiple_of(2))
    }
}

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(expectation) = text.parse::<Expectation>() {
        assert_eq!(expectation.to_string(), text.trim());
    }
    if let Ok(expression) = text.parse::<Formula>() {
        assert_eq!(expression.text(), text);
        let first = expression.evaluate(&mut Letters).ok();
        // Not a number is not equal to itself.
        let shown = format!("{first:?}");
        assert_eq!(format!("{:?}", expression.evaluate(&mut Letters).ok()), shown);
        // What is a condition in parentheses is the same.
        if text.len() < 1000
            && let Ok(within) = format!("({text})").parse::<Formula>()
        {
            assert_eq!(format!("{:?}", within.evaluate(&mut Letters).ok()), shown, "({text})");
        }
        assert!(text.parse::<Condition>().is_ok());
    } else {
        let _ = text.parse::<Condition>();
    }
}
