//! What an editor asks about a place in a text.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, Location, MarkupContent, MarkupKind,
    Position, Range, TextDocumentPositionParams,
};

use super::{EditorServer, uri};

impl EditorServer<'_> {
    /// What the word there means: its declaration and where it is from.
    pub fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let (project, file, line, column) = self.at(&params.text_document_position_params)?;
        let (declaration, origin) = project.tools()?.hover(&file, line, column)?;
        let package = match origin.package.is_empty() {
            true => String::new(),
            false => format!("{}.", origin.package),
        };
        let value = format!("```unrealscript\n{declaration}\n```\n{package}{}", origin.path);
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: None })
    }

    /// Where it is declared: in a class that is written, or in the text of one of the packages around.
    pub fn definition(&self, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
        let (project, file, line, column) = self.at(&params.text_document_position_params)?;
        let (_, origin) = project.tools()?.hover(&file, line, column)?;
        let (path, place) = match &origin.place {
            Some((file, place)) => (project.path_of(file)?, *place),
            None => {
                let environment = project.environment()?;
                self.foreign.find(environment, &origin.package, &origin.path)?
            }
        };
        let (line, column) = (place.line.saturating_sub(1), place.column.saturating_sub(1));
        // Lines of other packages are not at hand any more: those of the engines' classes are ASCII.
        let text = project.line(&path, line).unwrap_or_default();
        let at = Position { line, character: self.columns.column_behind(text, column) };
        let location = Location { uri: uri::of(&path)?, range: Range { start: at, end: at } };
        Some(GotoDefinitionResponse::Scalar(location))
    }

    /// What may stand there.
    pub fn completion(&self, params: &CompletionParams) -> Vec<CompletionItem> {
        let found = self.at(&params.text_document_position).and_then(|place| {
            let (project, file, line, column) = place;
            Some(project.tools()?.completions(&file, line, column))
        });
        let item = |(label, declaration, is_call)| CompletionItem {
            label,
            detail: Some(declaration),
            kind: Some(match is_call {
                true => CompletionItemKind::FUNCTION,
                false => CompletionItemKind::VARIABLE,
            }),
            ..CompletionItem::default()
        };
        found.unwrap_or_default().into_iter().map(item).collect()
    }

    /// The place that a request is about: the project, the file as its messages name it, line and column from 1.
    fn at(
        &self,
        params: &TextDocumentPositionParams,
    ) -> Option<(&super::Project, String, u32, u32)> {
        let path = uri::path(&params.text_document.uri)?;
        let project = self.projects.get(path.parent()?)?;
        let Position { line, character } = params.position;
        let text = project.line(&path, line)?;
        let column = self.columns.characters_before(text, character).saturating_add(1);
        Some((project, project.name_of(&path), line.saturating_add(1), column))
    }
}
