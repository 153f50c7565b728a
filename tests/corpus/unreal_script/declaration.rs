//! The text of a whole class: its header, and what it declares.

use super::expression::LOOSEST;
use super::function::Function;
use super::lexer::{Kind, Token};
use super::parser::{Parser, word_is};
use super::statement::Statement;

/// What the text of a class declares.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub class: String,
    pub parent: Option<String>,
    /// Words behind the class's name, folded, lists included: `config(user)`.
    pub modifiers: Vec<String>,
    /// Names and the tokens of their values.
    pub constants: Vec<(String, String)>,
    /// Names and their values.
    pub enums: Vec<(String, Vec<String>)>,
    /// Names of structs.
    pub structs: Vec<String>,
    /// Variables of the class: name and folded type, with `[n]` behind the type of an array.
    pub variables: Vec<(String, String)>,
    pub functions: Vec<Function>,
    pub states: Vec<State>,
}

/// A state; its functions stand in [`Text::functions`].
#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub parent: Option<String>,
    /// `auto`, `simulated` and `()`, folded.
    pub modifiers: Vec<String>,
    pub ignores: Vec<String>,
    /// Labels and code.
    pub body: Vec<Statement>,
    pub line: usize,
}

/// Reads the text of a class.
///
/// # Errors
/// The line, what was expected there and what was found.
pub fn parse(text: &str) -> Result<Text, String> {
    let mut parser = Parser::new(text)?;
    let mut found = Text::default();
    while parser.accept(";") {}
    parser.header(&mut found)?;
    while parser.token().kind != Kind::End {
        parser.declaration(&mut found)?;
    }
    found.constants = parser.constants;
    Ok(found)
}

impl Parser {
    fn header(&mut self, found: &mut Text) -> Result<(), String> {
        if !self.accept_word("class") && !self.accept_word("interface") {
            return self.expected("class or interface");
        }
        found.class = self.identifier("the name of the class")?;
        while !self.accept(";") {
            let word = self.identifier("a modifier of the class")?.to_ascii_lowercase();
            match word.as_str() {
                "extends" | "expands" => found.parent = Some(self.path("the super class")?),
                "within" => {
                    let outer = self.path("the outer class")?;
                    found.modifiers.push(format!("within {}", outer.to_ascii_lowercase()));
                }
                // SWAT 4 writes the interfaces without parentheses.
                "implements" if !self.is_symbol("(") => {
                    let list = self.names("an interface")?;
                    found.modifiers.push(format!("implements({})", list.join(",")));
                }
                _ => {
                    let list = self.modifier_list()?;
                    found.modifiers.push(word + &list);
                }
            }
        }
        Ok(())
    }

    /// `(...)` behind a modifier: words, numbers and strings; folded. Empty without parentheses.
    pub fn modifier_list(&mut self) -> Result<String, String> {
        if !self.accept("(") {
            return Ok(String::new());
        }
        let mut list = String::from("(");
        while !self.is_symbol(")") {
            let separator = self.is_symbol(",") || self.is_symbol(".") || self.is_symbol("-");
            if !separator && matches!(self.token().kind, Kind::Symbol | Kind::End | Kind::Skipped) {
                return self.expected(") behind the list of a modifier");
            }
            list.push_str(&self.advance().text.to_ascii_lowercase());
        }
        self.advance();
        Ok(list + ")")
    }

    /// Paths between commas.
    fn names(&mut self, what: &str) -> Result<Vec<String>, String> {
        let mut list = vec![self.path(what)?];
        while self.accept(",") {
            list.push(self.path(what)?);
        }
        Ok(list)
    }

    fn declaration(&mut self, found: &mut Text) -> Result<(), String> {
        if self.accept(";") {
            return Ok(());
        }
        match self.token().text.to_ascii_lowercase().as_str() {
            "const" => self.constant(),
            "enum" => {
                self.advance();
                self.enumeration(found)?;
                self.accept(";");
                Ok(())
            }
            "struct" => {
                self.advance();
                self.structure(found)?;
                self.accept(";");
                Ok(())
            }
            "var" => {
                let variables = self.variables(found)?;
                found.variables.extend(variables);
                Ok(())
            }
            "replication" => self.replication(),
            "import" => self.import(),
            "cpptext" | "cppstruct" | "structcpptext" | "defaultproperties" => self.skipped(),
            _ if self.begins_state() => self.state(found),
            _ => {
                let function = self.function(None)?;
                found.functions.push(function);
                Ok(())
            }
        }
    }

    /// `import enum Name from Class;` of SWAT 4.
    fn import(&mut self) -> Result<(), String> {
        self.advance();
        if !self.accept_word("enum") && !self.accept_word("struct") && !self.accept_word("class") {
            return self.expected("enum, struct or class behind import");
        }
        self.path("what is imported")?;
        if self.accept_word("from") {
            self.path("a class")?;
        }
        self.expect(";")
    }

    pub fn skipped(&mut self) -> Result<(), String> {
        self.advance();
        if self.token().kind != Kind::Skipped {
            return self.expected("{");
        }
        self.advance();
        Ok(())
    }

    /// `const Name = value;`; the value must be an expression.
    pub fn constant(&mut self) -> Result<(), String> {
        self.advance();
        let name = self.identifier("the name of a constant")?;
        self.expect("=")?;
        let start = self.place();
        self.expression(LOOSEST)?;
        let value =
            self.between(start, self.place()).iter().map(quoted).collect::<Vec<_>>().join(" ");
        self.constants.push((name, value));
        self.expect(";")
    }

    fn replication(&mut self) -> Result<(), String> {
        self.advance();
        self.expect("{")?;
        while !self.accept("}") {
            if !self.accept_word("reliable") {
                self.accept_word("unreliable");
            }
            if !self.accept_word("if") {
                return self.expected("if in a replication block");
            }
            self.expect("(")?;
            self.expression(LOOSEST)?;
            self.expect(")")?;
            self.names("what is replicated")?;
            self.expect(";")?;
        }
        Ok(())
    }

    fn begins_state(&self) -> bool {
        let mut ahead = 0;
        while ["auto", "simulated"].iter().any(|word| word_is(self.ahead(ahead), word)) {
            ahead += 1;
        }
        word_is(self.ahead(ahead), "state")
    }

    fn state(&mut self, found: &mut Text) -> Result<(), String> {
        let line = self.token().line;
        let mut modifiers = Vec::new();
        while !self.accept_word("state") {
            modifiers.push(self.advance().text.to_ascii_lowercase());
        }
        if self.accept("(") {
            self.expect(")")?;
            modifiers.push("()".to_owned());
        }
        let name = self.identifier("the name of a state")?;
        let extends = self.accept_word("extends") || self.accept_word("expands");
        let parent = if extends { Some(self.identifier("the super state")?) } else { None };
        self.expect("{")?;
        let mut ignores = Vec::new();
        while self.accept_word("ignores") {
            ignores.extend(self.names("an ignored function")?);
            self.expect(";")?;
        }
        let mut body = Vec::new();
        while !self.accept("}") {
            // The compilers read all functions first; behind a label there is only code.
            if body.iter().all(|statement| *statement == Statement::Empty) && self.begins_function()
            {
                let function = self.function(Some(&name))?;
                found.functions.push(function);
            } else {
                body.push(self.statement()?);
            }
        }
        found.states.push(State { name, parent, modifiers, ignores, body, line });
        Ok(())
    }
}

/// A token as it stands in a text.
fn quoted(token: &Token) -> String {
    match token.kind {
        Kind::Text => format!("\"{}\"", token.text),
        Kind::Name => format!("'{}'", token.text),
        Kind::Float if !token.text.contains(['.', 'e', 'E']) => format!("{}.0", token.text),
        _ => token.text.clone(),
    }
}
