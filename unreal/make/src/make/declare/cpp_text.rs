//! C++ for the headers of classes and structs (UE3).

use crate::compile::syntax::{RawBlock, SyntaxItem};
use crate::object::Native;
use crate::object::text::TextBuffer;
use crate::primitive::{FString, PackageIndex};

use super::super::text::ClassSource;
use super::class_maker::{ClassMaker, DeclaredIn};

/// What stands in the text of a class in place of each of its lines.
pub(in crate::make) const MARK: &str = "// (cpptext)";

impl ClassMaker<'_> {
    /// The text of a class; where its source has none but the marks of one, that of the older package.
    pub(super) fn cpp_text_of_class(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
    ) -> PackageIndex {
        let former = || {
            let is_marked = source.script_text().contains(MARK);
            self.former.filter(|_| is_marked)?.cpp_text(&around.path)
        };
        let text = source.cpp_text.as_ref().map(|block| {
            let text = &block.text;
            let first = text.find('\n').filter(|at| text[..*at].trim().is_empty());
            let behind = text.get(first.map_or(0, |at| at + 1)..).unwrap_or_default();
            behind.trim_end().to_owned()
        });
        match text.or_else(former) {
            Some(text) if self.is_ue3() => self.cpp_text(around, &text),
            _ => PackageIndex::NULL,
        }
    }

    /// The text of a struct.
    pub(super) fn cpp_text_of_struct(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        items: &[SyntaxItem],
    ) -> PackageIndex {
        let is_text = |block: &&RawBlock| block.word.is("structcpptext");
        let blocks = items.iter().filter_map(|item| match item {
            SyntaxItem::Block(block) => Some(block),
            _ => None,
        });
        match { blocks }.find(is_text) {
            Some(block) if self.is_ue3() => {
                let text = source.syntax.source.slice(block.start, block.end).to_owned();
                self.cpp_text(around, &text)
            }
            _ => PackageIndex::NULL,
        }
    }

    fn cpp_text(&mut self, around: &DeclaredIn, text: &str) -> PackageIndex {
        let path = around.within("CppText");
        let row = self.draft.create("TextBuffer", &path, around.object);
        self.draft.objects[row].flags = self.flags(0x0034_0000);
        let text = FString::ansi(text).unwrap_or_else(|| FString::new(text));
        self.draft.objects[row].native =
            Native::Object(Box::new(TextBuffer { pos: 0, top: 0, text }));
        PackageIndex::export(row)
    }
}
