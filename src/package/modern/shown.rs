//! Values as text, for tables.

use std::sync::Arc;

use super::lookup::ModernLookup;
use crate::archive::Context;
use crate::package::Package;
use crate::property::tagged::{Value, display};

impl Package {
    /// A value of UE4 or UE5 as the text that setting it takes.
    pub(crate) fn shown(&self, value: &Value, context: &Arc<Context>) -> String {
        display(value, None, &ModernLookup::reading(self, context.clone(), 0))
    }
}
