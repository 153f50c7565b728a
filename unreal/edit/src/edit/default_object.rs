//! The names of the objects that hold the defaults of classes, from UE3 on: `Default__Lamp` of `Lamp`.

/// What stands before the name of the class.
const OF_CLASS: &str = "Default__";

/// The name of the object that holds the defaults of a class.
pub(super) fn default_name(class: &str) -> String {
    format!("{OF_CLASS}{class}")
}

/// The class whose defaults an object of this name holds; `None` for other names.
pub(super) fn class_of_default(name: &str) -> Option<&str> {
    let (head, class) = name.split_at_checked(OF_CLASS.len())?;
    (head.eq_ignore_ascii_case(OF_CLASS) && !class.is_empty()).then_some(class)
}
