//! `upk make --lsp`: answers an editor (Language Server Protocol 3.17) about classes that are being written.

mod answers;
mod columns;
mod foreign;
mod project;
mod uri;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Completion, GotoDefinition, HoverRequest, Request as _};
use lsp_types::{
    CompletionOptions, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, HoverProviderCapability, InitializeParams, OneOf,
    PositionEncodingKind, PublishDiagnosticsParams, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use unreal_packages::make::GameCompiler;

use self::columns::Columns;
use self::foreign::ForeignTexts;
use self::project::Project;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, say_on_stderr};

/// The server of one editor.
pub struct EditorServer<'a> {
    source: &'a Path,
    profile: Option<&'a GameCompiler>,
    open: &'a OpenArgs,
    /// What the editor has of files that are open in it.
    texts: HashMap<PathBuf, String>,
    /// By the folder of the classes.
    projects: HashMap<PathBuf, Project>,
    /// Folders whose classes have changed since they were looked at.
    changed: HashSet<PathBuf>,
    foreign: ForeignTexts,
    columns: Columns,
}

impl<'a> EditorServer<'a> {
    /// A server about the classes in a folder, or in those of a game.
    pub fn new(source: &'a Path, profile: Option<&'a GameCompiler>, open: &'a OpenArgs) -> Self {
        Self {
            source,
            profile,
            open,
            texts: HashMap::new(),
            projects: HashMap::new(),
            changed: HashSet::new(),
            foreign: ForeignTexts::default(),
            columns: Columns::Utf16,
        }
    }

    /// Answers until the editor says that it is done.
    pub fn run(mut self, out: &mut Output) -> CommandResult {
        // What is said there now is the protocol's.
        out.leave()?;
        let (connection, threads) = Connection::stdio();
        let outcome = self.serve(&connection);
        drop(connection);
        threads.join()?;
        outcome
    }

    fn serve(&mut self, connection: &Connection) -> CommandResult {
        let broken = |why: lsp_server::ProtocolError| Failure::failed(why.to_string());
        let (id, params) = connection.initialize_start().map_err(broken)?;
        let params: InitializeParams = serde_json::from_value(params)?;
        let general = params.capabilities.general.and_then(|it| it.position_encodings);
        self.columns = Columns::of_client(&general.unwrap_or_default());
        let answer = json!({
            "capabilities": self.capabilities(),
            "serverInfo": { "name": "upk", "version": env!("CARGO_PKG_VERSION") },
        });
        connection.initialize_finish(id, answer).map_err(broken)?;
        while let Ok(message) = connection.receiver.recv() {
            match message {
                Message::Request(request) => {
                    if connection.handle_shutdown(&request).map_err(broken)? {
                        return Ok(Outcome::Fine);
                    }
                    self.refresh(connection);
                    let answer = self.answer(request);
                    send(connection, answer.into());
                }
                Message::Notification(it) => self.notice(it),
                Message::Response(_) => {}
            }
            // What was typed meanwhile is read first: only the last text counts.
            if connection.receiver.is_empty() {
                self.refresh(connection);
            }
        }
        // An editor that has ended without a word.
        Ok(Outcome::Fine)
    }

    fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            position_encoding: Some(match self.columns {
                Columns::Utf16 => PositionEncodingKind::UTF16,
                Columns::Characters => PositionEncodingKind::UTF32,
            }),
            text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(vec![".".to_owned()]),
                ..CompletionOptions::default()
            }),
            ..ServerCapabilities::default()
        }
    }

    fn notice(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(it) = read::<DidOpenTextDocumentParams>(params) else { return };
                self.written(&it.text_document.uri, Some(it.text_document.text));
            }
            DidChangeTextDocument::METHOD => {
                let Some(it) = read::<DidChangeTextDocumentParams>(params) else { return };
                // All of the text each time, as was agreed.
                let text = it.content_changes.into_iter().next_back().map(|change| change.text);
                self.written(&it.text_document.uri, text);
            }
            DidCloseTextDocument::METHOD => {
                let Some(it) = read::<DidCloseTextDocumentParams>(params) else { return };
                self.written(&it.text_document.uri, None);
            }
            // What other programs write.
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.changed.extend(self.projects.keys().cloned());
            }
            _ => {}
        }
    }

    /// The editor has this text of a file now; without one what is on disk counts.
    fn written(&mut self, uri: &lsp_types::Uri, text: Option<String>) {
        let Some(path) = uri::path(uri).filter(|path| !self.foreign.has(path)) else { return };
        let Some(folder) = path.parent() else { return };
        self.changed.insert(folder.to_owned());
        match text {
            Some(text) => drop(self.texts.insert(path, text)),
            None => drop(self.texts.remove(&path)),
        }
    }

    /// Looks at what has changed, and tells the editor what is wrong with it.
    fn refresh(&mut self, connection: &Connection) {
        for folder in std::mem::take(&mut self.changed) {
            let project = match self.projects.remove(&folder) {
                Some(project) => Ok(project),
                None => Project::open(&folder, self.source, self.profile, self.open),
            };
            let refreshed = project.and_then(|mut project| {
                project.read(&folder, &self.texts)?;
                Ok(project)
            });
            match refreshed {
                Ok(mut project) => {
                    for (path, diagnostics) in project.publish(self.columns) {
                        let Some(uri) = uri::of(&path) else { continue };
                        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
                        let method = PublishDiagnostics::METHOD.to_owned();
                        send(connection, Notification::new(method, params).into());
                    }
                    self.projects.insert(folder, project);
                }
                Err(failure) => say_on_stderr(&format!("upk: {failure}")),
            }
        }
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            HoverRequest::METHOD => read(params).map(|it| json!(self.hover(&it))),
            GotoDefinition::METHOD => read(params).map(|it| json!(self.definition(&it))),
            Completion::METHOD => read(params).map(|it| json!(self.completion(&it))),
            other => {
                let message = format!("{other} is not answered here");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        match answer {
            Some(answer) => Response::new_ok(id, answer),
            None => {
                let message = "the parameters are not those of this request".to_owned();
                Response::new_err(id, ErrorCode::InvalidParams as i32, message)
            }
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

/// An editor that has gone reads nothing; that shows when it is asked for more.
fn send(connection: &Connection, message: Message) {
    let _ = connection.sender.send(message);
}
