//! What the words of a class's text mean: for editors, which ask where the cursor is.

use super::declarations::{FunctionSymbol, Owner, TypeName, VariableSymbol, fold};
use super::source::TextPlace;
use super::symbols::{ClassId, SymbolId, Symbols};
use super::syntax::{Function, Syntax, SyntaxItem};
use super::token::TokenKind;
use super::types::ValueType;

/// Members behind members that are followed.
const DEEPEST: u32 = 64;

/// Something that a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceMeaning {
    /// A variable, struct member, parameter or local variable.
    Variable(SymbolId),
    /// A function.
    Function(SymbolId),
    /// A class.
    Class(ClassId),
    /// A struct.
    Struct(SymbolId),
    /// An enum.
    Enum(SymbolId),
}

/// Where something is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceOrigin {
    /// The package of its class; empty where none is known.
    pub package: String,
    /// Its path within the package.
    pub path: String,
    /// The file and the place of its name in it, where its text is at hand.
    pub place: Option<(String, TextPlace)>,
}

impl Symbols {
    /// What the word at a byte of a class's text means.
    pub fn meaning_at(&self, class: ClassId, byte: usize) -> Option<SourceMeaning> {
        let syntax = self.class(class).syntax.as_deref()?;
        let token = word_at(syntax, byte)?;
        TextCursor { symbols: self, syntax, class }.word(token, 0)
    }

    /// What may stand at a byte of a class's text: members behind a dot, else what the place knows.
    pub fn completions_at(&self, class: ClassId, byte: usize) -> Vec<SourceMeaning> {
        let Some(syntax) = self.class(class).syntax.as_deref() else { return Vec::new() };
        let cursor = TextCursor { symbols: self, syntax, class };
        let tokens = &syntax.tokens.tokens;
        // The token that ends before the cursor; a word that has begun stands behind the one that counts.
        let behind = tokens.partition_point(|token| (token.start as usize) < byte);
        let mut last = behind.checked_sub(1);
        if let Some(at) = last
            && tokens.get(at).is_some_and(|it| it.kind == TokenKind::Word)
            && tokens.get(at).is_some_and(|it| it.end as usize >= byte)
        {
            last = at.checked_sub(1);
        }
        let at = last.and_then(|at| u32::try_from(at).ok());
        match at.filter(|at| syntax.text(*at) == ".") {
            Some(dot) => cursor.type_before(dot, 0).map_or(Vec::new(), |of| self.members_of(&of)),
            None => {
                let mut all = cursor.locals(at.unwrap_or(0));
                all.extend(self.members_of(&ValueType::Object(Some(class))));
                all
            }
        }
    }

    fn members_of(&self, of: &ValueType) -> Vec<SourceMeaning> {
        let mut all = Vec::new();
        match of {
            ValueType::Object(Some(class)) | ValueType::Class(Some(class)) => {
                for class in self.chain(*class) {
                    let declared = self.class(class);
                    let id =
                        |row: usize| u32::try_from(row).ok().map(|row| SymbolId { class, row });
                    for (row, variable) in declared.variables.iter().enumerate() {
                        if variable.owner == Owner::Class {
                            all.extend(id(row).map(SourceMeaning::Variable));
                        }
                    }
                    for (row, function) in declared.functions.iter().enumerate() {
                        if function.owner == Owner::Class && !function.kind.is_operator() {
                            all.extend(id(row).map(SourceMeaning::Function));
                        }
                    }
                }
            }
            ValueType::Struct(id) => {
                for id in self.struct_chain(*id) {
                    let members = self.structure(id).map_or(&[][..], |it| &it.members);
                    let of = |row: &u32| {
                        SourceMeaning::Variable(SymbolId { class: id.class, row: *row })
                    };
                    all.extend(members.iter().map(of));
                }
            }
            _ => {}
        }
        all
    }

    /// All that a class declares: itself, its variables, functions, structs, enums, with what stands in these.
    pub fn meanings_in(&self, class: ClassId) -> Vec<SourceMeaning> {
        let declared = self.class(class);
        let ids = |count: usize| {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            (0..count).map(move |row| SymbolId { class, row })
        };
        let mut all = vec![SourceMeaning::Class(class)];
        all.extend(ids(declared.variables.len()).map(SourceMeaning::Variable));
        all.extend(ids(declared.functions.len()).map(SourceMeaning::Function));
        all.extend(ids(declared.structs.len()).map(SourceMeaning::Struct));
        all.extend(ids(declared.enums.len()).map(SourceMeaning::Enum));
        all
    }

    /// Its name.
    pub fn name_of(&self, meaning: SourceMeaning) -> &str {
        match meaning {
            SourceMeaning::Variable(id) => self.variable(id).map_or("", |it| &it.name),
            SourceMeaning::Function(id) => self.function(id).map_or("", |it| &it.name),
            SourceMeaning::Class(id) => &self.class(id).name,
            SourceMeaning::Struct(id) => self.structure(id).map_or("", |it| &it.name),
            SourceMeaning::Enum(id) => self.enumeration(id).map_or("", |it| &it.name),
        }
    }

    /// Its declaration, one line.
    pub fn declaration_of(&self, meaning: SourceMeaning) -> String {
        match meaning {
            SourceMeaning::Variable(id) => {
                self.variable(id).map_or(String::new(), |it| format!("var {}", variable_text(it)))
            }
            SourceMeaning::Function(id) => {
                self.function(id).map_or(String::new(), |it| self.function_text(id, it))
            }
            SourceMeaning::Class(id) => {
                let class = self.class(id);
                match &class.base {
                    Some(base) => format!("class {} extends {base}", class.name),
                    None => format!("class {}", class.name),
                }
            }
            SourceMeaning::Struct(_) => format!("struct {}", self.name_of(meaning)),
            SourceMeaning::Enum(id) => {
                let values = self.enumeration(id).map_or(String::new(), |it| it.values.join(", "));
                format!("enum {} {{ {values} }}", self.name_of(meaning))
            }
        }
    }

    fn function_text(&self, id: SymbolId, function: &FunctionSymbol) -> String {
        let parameter = |row: &u32| {
            let variable = self.variable(SymbolId { class: id.class, row: *row })?;
            let words = [
                (variable.is_optional, "optional "),
                (variable.is_out, "out "),
                (variable.is_coerce, "coerce "),
                (variable.is_skip, "skip "),
            ];
            let words: String = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
            Some(format!("{words}{}", variable_text(variable)))
        };
        let parameters: Vec<String> = function.parameters.iter().filter_map(parameter).collect();
        let result = match &function.result {
            TypeName::Void => String::new(),
            of => format!("{} ", type_text(of)),
        };
        format!("function {result}{}({})", function.name, parameters.join(", "))
    }

    /// Where it is declared.
    pub fn origin_of(&self, meaning: SourceMeaning) -> SourceOrigin {
        let (class, path) = match meaning {
            SourceMeaning::Variable(id) => (id.class, self.variable_path(id)),
            SourceMeaning::Function(id) => (id.class, self.function_path(id)),
            SourceMeaning::Class(id) => (id, self.class(id).name.clone()),
            SourceMeaning::Struct(id) => (id.class, self.struct_path(id)),
            SourceMeaning::Enum(id) => {
                (id.class, format!("{}.{}", self.class(id.class).name, self.name_of(meaning)))
            }
        };
        let place = self.class(class).syntax.as_deref().and_then(|syntax| {
            let token = self.declared_at(meaning, syntax)?;
            let start = syntax.token(token).start as usize;
            let (source, start, _) = syntax.source.in_file(start, start);
            Some((source.file.clone(), source.place(start)))
        });
        SourceOrigin { package: self.package(class).to_owned(), path, place }
    }

    /// The token of its name where it is declared.
    fn declared_at(&self, meaning: SourceMeaning, syntax: &Syntax) -> Option<u32> {
        if let SourceMeaning::Class(_) = meaning {
            return syntax.class.as_ref().map(|header| header.name.token);
        }
        if let SourceMeaning::Function(id) = meaning {
            let (item, inner) = self.function(id)?.place?;
            return Some(match (syntax.items.get(item as usize)?, inner) {
                (SyntaxItem::Function(it), _) => it.name.token,
                (SyntaxItem::State(it), Some(at)) => it.functions.get(at as usize)?.name.token,
                _ => return None,
            });
        }
        // The first time that the name stands behind a word and before what ends a declaration.
        let name = self.name_of(meaning);
        let range = match meaning {
            SourceMeaning::Variable(id) => self.range_of_owner(id, syntax),
            _ => None,
        };
        let (first, last) = range.unwrap_or((0, u32::MAX));
        let count = u32::try_from(syntax.tokens.tokens.len()).unwrap_or(u32::MAX);
        (first..count.min(last)).find(|&token| {
            let is_name = syntax.text(token).eq_ignore_ascii_case(name);
            let behind = syntax.text(token + 1);
            let before = token.checked_sub(1).map_or("", |it| syntax.text(it));
            let is_declared = matches!(behind, "," | ";" | "[" | ")" | "=" | "<" | "{" | "extends");
            let is_behind = before == ","
                || before.ends_with('>')
                || before.chars().all(|it| it.is_alphanumeric() || it == '_') && !before.is_empty();
            is_name && is_declared && is_behind
        })
    }

    /// The tokens of the function that a parameter or local variable belongs to.
    fn range_of_owner(&self, id: SymbolId, syntax: &Syntax) -> Option<(u32, u32)> {
        let Owner::Function(row) = self.variable(id)?.owner else { return None };
        let (item, inner) = self.function(SymbolId { class: id.class, row })?.place?;
        let function: &Function = match (syntax.items.get(item as usize)?, inner) {
            (SyntaxItem::Function(it), _) => it,
            (SyntaxItem::State(it), Some(at)) => it.functions.get(at as usize)?,
            _ => return None,
        };
        Some((function.first, function.last))
    }
}

/// The token of the word at a byte.
fn word_at(syntax: &Syntax, byte: usize) -> Option<u32> {
    let tokens = &syntax.tokens.tokens;
    let behind = tokens.partition_point(|token| token.start as usize <= byte);
    let at = behind.checked_sub(1)?;
    let token = tokens.get(at)?;
    let is_word = matches!(token.kind, TokenKind::Word | TokenKind::Name);
    (is_word && token.end as usize >= byte).then_some(u32::try_from(at).ok()?)
}

/// A place in the text of a class.
struct TextCursor<'a> {
    symbols: &'a Symbols,
    syntax: &'a Syntax,
    class: ClassId,
}

impl TextCursor<'_> {
    /// What a word means: a member of what stands before a dot, else what the place knows.
    fn word(&self, token: u32, depth: u32) -> Option<SourceMeaning> {
        let symbols = self.symbols;
        let name = fold(self.syntax.text(token).trim_matches('\''));
        let before = token.checked_sub(1).filter(|it| self.syntax.text(*it) == ".");
        let Some(dot) = before else {
            let last = name.rsplit('.').next().unwrap_or(&name);
            return self.head(token, last);
        };
        match self.type_before(dot, depth)? {
            ValueType::Object(Some(class)) | ValueType::Class(Some(class)) => {
                let variable = symbols.find_variable(class, &name).map(SourceMeaning::Variable);
                variable
                    .or_else(|| symbols.find_function(class, &name).map(SourceMeaning::Function))
            }
            ValueType::Struct(id) => {
                symbols.find_member(id, &name).map(|it| SourceMeaning::Variable(it.1))
            }
            _ => None,
        }
    }

    fn head(&self, token: u32, name: &str) -> Option<SourceMeaning> {
        let symbols = self.symbols;
        let is_name = |it: &SourceMeaning| symbols.name_of(*it).eq_ignore_ascii_case(name);
        let local = self.locals(token).into_iter().find(is_name);
        local
            .or_else(|| symbols.find_variable(self.class, name).map(SourceMeaning::Variable))
            .or_else(|| symbols.find_function(self.class, name).map(SourceMeaning::Function))
            .or_else(|| symbols.find_class(name).map(SourceMeaning::Class))
            .or_else(|| symbols.find_struct(self.class, name).map(SourceMeaning::Struct))
            .or_else(|| symbols.find_enum(self.class, name).map(SourceMeaning::Enum))
    }

    /// The parameters and local variables of the function around a token.
    fn locals(&self, token: u32) -> Vec<SourceMeaning> {
        let functions = &self.symbols.class(self.class).functions;
        let is_around = |function: &&FunctionSymbol| {
            let Some((item, inner)) = function.place else { return false };
            let written: &Function = match (self.syntax.items.get(item as usize), inner) {
                (Some(SyntaxItem::Function(it)), _) => it,
                (Some(SyntaxItem::State(it)), Some(at)) => match it.functions.get(at as usize) {
                    Some(it) => it,
                    None => return false,
                },
                _ => return false,
            };
            (written.first..=written.last).contains(&token)
        };
        let Some(function) = functions.iter().find(is_around) else { return Vec::new() };
        let rows = function.parameters.iter().chain(&function.locals);
        rows.map(|row| SourceMeaning::Variable(SymbolId { class: self.class, row: *row })).collect()
    }

    /// The type of what stands before a dot.
    fn type_before(&self, dot: u32, depth: u32) -> Option<ValueType> {
        if depth > DEEPEST {
            return None;
        }
        let (mut at, mut is_index, mut is_call) = (dot.checked_sub(1)?, false, false);
        while matches!(self.syntax.text(at), ")" | "]") {
            match self.syntax.text(at) {
                "]" => is_index = true,
                _ => is_call = true,
            }
            at = self.opening(at)?.checked_sub(1)?;
        }
        let text = fold(self.syntax.text(at));
        match text.as_str() {
            "self" => return Some(ValueType::Object(Some(self.class))),
            "super" => return Some(ValueType::Object(self.symbols.base(self.class))),
            "default" | "static" => {
                let inner = at.checked_sub(1).filter(|it| self.syntax.text(*it) == ".");
                return match inner {
                    Some(dot) => self.type_before(dot, depth + 1),
                    None => Some(ValueType::Object(Some(self.class))),
                };
            }
            _ => {}
        }
        Some(match self.word(at, depth + 1)? {
            SourceMeaning::Variable(id) => match self.symbols.type_of(id) {
                ValueType::Array(Some(inner)) if is_index => *inner,
                of => of,
            },
            SourceMeaning::Function(id) => self.symbols.result_of(id),
            // A cast, or the class itself.
            SourceMeaning::Class(class) if is_call => ValueType::Object(Some(class)),
            SourceMeaning::Class(class) => ValueType::Class(Some(class)),
            SourceMeaning::Struct(_) | SourceMeaning::Enum(_) => return None,
        })
    }

    /// The bracket that a closing one belongs to.
    fn opening(&self, close: u32) -> Option<u32> {
        let mut open = 0_u32;
        let mut at = close;
        loop {
            match self.syntax.text(at) {
                ")" | "]" => open += 1,
                "(" | "[" => open = open.saturating_sub(1),
                ";" | "{" | "}" => return None,
                _ => {}
            }
            if open == 0 {
                return Some(at);
            }
            at = at.checked_sub(1)?;
        }
    }
}

fn variable_text(variable: &VariableSymbol) -> String {
    let array = if variable.length.is_some() { "[]" } else { "" };
    format!("{} {}{array}", type_text(&variable.of), variable.name)
}

fn type_text(of: &TypeName) -> String {
    match of {
        TypeName::Void => "void".to_owned(),
        TypeName::Named(name) => name.clone(),
        TypeName::Class(name) => format!("class<{name}>"),
        TypeName::Array(Some(inner)) => format!("array<{}>", type_text(inner)),
        TypeName::Array(None) => "array".to_owned(),
        TypeName::Map => "map".to_owned(),
        TypeName::Delegate(path) => format!("delegate<{}>", path.join(".")),
    }
}
