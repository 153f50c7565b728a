//! What the editor shows of variables and enums, and in which order (UE3).

use crate::compile::syntax::{DeclaredName, Enum, Variables};
use crate::object::Native;
use crate::object::text::MetaData;
use crate::primitive::{FString, Map, PackageIndex};

use super::class_maker::{ClassMaker, DeclaredIn};

const EDITABLE: u64 = 0x1;

impl ClassMaker<'_> {
    /// What is said of a variable: what stands behind it, the comment before it, its number.
    pub(super) fn variable_texts(
        &mut self,
        around: &DeclaredIn,
        (written, declared): (&Variables, &DeclaredName),
        row: usize,
        flags: u64,
    ) {
        if !self.is_ue3() {
            return;
        }
        let mut texts = declared.metadata.as_deref().map(pairs).unwrap_or_default();
        let is_said = texts.iter().any(|it| it.0.eq_ignore_ascii_case("ToolTip"));
        let comment = around.tool_tips.get(written.first);
        let comment = comment.filter(|_| flags & EDITABLE != 0 && !is_said);
        let of_comment = |is_behind: bool| {
            let comment = comment.filter(|it| it.is_behind == is_behind);
            comment.map(|it| ("ToolTip".to_owned(), it.text.clone()))
        };
        texts.extend(of_comment(false));
        let number = self.draft.number_of_variable(around.class);
        let depth = self.symbols.chain(around.class).count();
        let depth = u32::try_from(depth).unwrap_or(0);
        // Variables of the classes above stand before those of the class.
        let first = 0xff_u32.saturating_sub(depth) << 16;
        let class = &self.symbols.class(around.class).name;
        let former = self.former.and_then(|former| former.first_order(class));
        let order = former.unwrap_or(first) + number;
        texts.push(("OrderIndex".to_owned(), order.to_string()));
        texts.extend(of_comment(true));
        self.draft.say(row, texts);
    }

    /// What is said of an enum and its values.
    pub(super) fn enum_texts(&mut self, written: &Enum, row: usize) {
        if !self.is_ue3() {
            return;
        }
        let mut texts = Vec::new();
        for (value, said) in &written.metadata {
            let Some(name) = written.values.get(*value) else { continue };
            let of_value = pairs(said).into_iter();
            texts.extend(of_value.map(|(key, text)| (format!("{}.{key}", name.text), text)));
        }
        if !texts.is_empty() {
            self.draft.say(row, texts);
        }
    }

    /// The object that holds all of it.
    pub(in crate::make) fn meta_data(&mut self) {
        let said = std::mem::take(&mut self.draft.said);
        if said.is_empty() {
            return;
        }
        let class = self.draft.import(&[("Core", "Core.Package"), ("MetaData", "Core.Class")]);
        let row = self.draft.create_object(class, "MetaData", "MetaData", PackageIndex::NULL);
        let mut by_object = Vec::with_capacity(said.len());
        for (object, texts) in said {
            let texts = texts.into_iter().map(|(key, text)| {
                let text = FString::ansi(&text).unwrap_or_else(|| FString::new(&text));
                (self.draft.name(&key), text)
            });
            by_object.push((PackageIndex::export(object), Map(texts.collect())));
        }
        self.draft.objects[row].flags = self.flags(0x003c_0000);
        let data = MetaData { by_object: Map(by_object), ..MetaData::default() };
        self.draft.objects[row].native = Native::Object(Box::new(data));
    }
}

/// `Key=value | Key=value`.
fn pairs(text: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        (key.trim().to_owned(), value.trim().trim_matches('"').to_owned())
    };
    text.split('|').map(pair).filter(|it| !it.0.is_empty()).collect()
}
