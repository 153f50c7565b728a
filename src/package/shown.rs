//! Values as text, for tables.

use std::sync::Arc;

use crate::archive::Context;
use crate::package::Package;
use crate::package::meaning::ObjectLookup;
use crate::property::{Value, display};

impl Package {
    /// A value as the text that setting it takes.
    pub(crate) fn shown(&self, value: &Value, context: &Arc<Context>) -> String {
        display(value, None, &ObjectLookup::reading(self, context.clone(), 0))
    }
}
