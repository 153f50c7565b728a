//! One function or state of a class that is there already.

use std::rc::Rc;

use crate::compile::ClassId;
use crate::compile::syntax::Function;
use crate::primitive::PackageIndex;

use super::super::text::ClassSource;
use super::class_maker::{ClassMaker, DeclaredIn};

impl ClassMaker<'_> {
    /// Makes a function of a class, or of a state of it, with its parameters and local variables.
    pub(in crate::make) fn single_function(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        state: Option<&str>,
        written: &Function,
    ) -> usize {
        let name = self.symbols.class(class).name.clone();
        let (kind, path) = match state {
            Some(state) => ("State", format!("{name}.{state}")),
            None => ("Class", name),
        };
        let object = PackageIndex::export(self.draft.reserve(kind, &path));
        let name = path.rsplit('.').next().unwrap_or_default().to_owned();
        let around = DeclaredIn { class, path, object, name, tool_tips: Rc::default() };
        self.function_object(source, &around, written, &mut Vec::new())
    }
}
