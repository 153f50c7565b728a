//! Statements of UnrealScript: their tree and parser.

use super::expression::{Expression, LOOSEST};
use super::lexer::Kind;
use super::parser::{Parser, symbol_is};

/// A statement of a function or of a state's code.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A lone `;`.
    Empty,
    Block(Vec<Statement>),
    Expression(Expression),
    /// `a = b`.
    Assign(Expression, Expression),
    /// Condition, statement, and the one behind `else`.
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>),
    DoUntil(Box<Statement>, Option<Expression>),
    /// Start, condition, step and body.
    For(Box<Statement>, Expression, Box<Statement>, Box<Statement>),
    /// The call of the iterator, or the array with its variables as a call, and the body.
    ForEach(Expression, Box<Statement>),
    Switch(Expression, Vec<Case>),
    Return(Option<Expression>),
    Break,
    Continue,
    Stop,
    Goto(Expression),
    Assert(Expression),
    Label(String),
}

/// `case value:` or, without a value, `default:`, with the statements up to the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub value: Option<Expression>,
    pub body: Vec<Statement>,
}

/// Variables that `local` lines declare: name and type, with `[n]` behind the type of an array.
pub type Locals = Vec<(String, String)>;

impl Parser {
    /// The code of a function up to its closing brace; `local` lines stand before the statements.
    pub fn function_code(&mut self, locals: &mut Locals) -> Result<Vec<Statement>, String> {
        loop {
            if self.accept_word("local") {
                self.local(locals)?;
            } else if self.is_word("const") {
                self.constant()?;
            } else if !self.accept(";") {
                break;
            }
        }
        self.statements()
    }

    /// Statements up to a closing brace, which is taken.
    pub fn statements(&mut self) -> Result<Vec<Statement>, String> {
        let mut list = Vec::new();
        while !self.accept("}") {
            list.push(self.statement()?);
        }
        Ok(list)
    }

    fn boxed(&mut self) -> Result<Box<Statement>, String> {
        self.statement().map(Box::new)
    }

    /// An expression in parentheses.
    fn condition(&mut self) -> Result<Expression, String> {
        self.expect("(")?;
        let condition = self.expression(LOOSEST)?;
        self.expect(")")?;
        Ok(condition)
    }

    pub fn statement(&mut self) -> Result<Statement, String> {
        if self.accept(";") {
            return Ok(Statement::Empty);
        }
        if self.accept("{") {
            return self.statements().map(Statement::Block);
        }
        if self.token().kind != Kind::Identifier {
            return self.simple_statement();
        }
        if symbol_is(self.ahead(1), ":") && !self.is_word("default") {
            let label = self.advance().text;
            self.expect(":")?;
            return Ok(Statement::Label(label));
        }
        match self.token().text.to_ascii_lowercase().as_str() {
            "if" => self.branch(),
            "while" => {
                self.advance();
                Ok(Statement::While(self.condition()?, self.boxed()?))
            }
            "do" => self.do_until(),
            "for" => self.counted_loop(),
            "foreach" => self.iteration(),
            "switch" => self.switch(),
            // A constant of the whole class, wherever it stands.
            "const" if symbol_is(self.ahead(2), "=") => {
                self.constant()?;
                Ok(Statement::Empty)
            }
            _ => self.simple_statement(),
        }
    }

    fn branch(&mut self) -> Result<Statement, String> {
        self.advance();
        let condition = self.condition()?;
        let positive = self.boxed()?;
        let negative = if self.accept_word("else") { Some(self.boxed()?) } else { None };
        Ok(Statement::If(condition, positive, negative))
    }

    fn do_until(&mut self) -> Result<Statement, String> {
        self.advance();
        let body = self.boxed()?;
        if !self.accept_word("until") {
            return self.expected("until");
        }
        let condition = if self.is_symbol("(") { Some(self.condition()?) } else { None };
        // The engines' compilers do not ask for the semicolon.
        self.accept(";");
        Ok(Statement::DoUntil(body, condition))
    }

    fn counted_loop(&mut self) -> Result<Statement, String> {
        self.advance();
        self.expect("(")?;
        let start = if self.is_symbol(";") { Statement::Empty } else { self.effect()? };
        self.expect(";")?;
        let condition =
            if self.is_symbol(";") { Expression::True } else { self.expression(LOOSEST)? };
        self.expect(";")?;
        let step = if self.is_symbol(")") { Statement::Empty } else { self.effect()? };
        self.expect(")")?;
        Ok(Statement::For(start.into(), condition, step.into(), self.boxed()?))
    }

    fn iteration(&mut self) -> Result<Statement, String> {
        self.advance();
        let iterator = self.expression(LOOSEST)?;
        if !matches!(iterator, Expression::Call(..)) {
            return self.expected("a call behind foreach");
        }
        Ok(Statement::ForEach(iterator, self.boxed()?))
    }

    fn switch(&mut self) -> Result<Statement, String> {
        self.advance();
        let value = self.condition()?;
        self.expect("{")?;
        let mut cases: Vec<Case> = Vec::new();
        while !self.accept("}") {
            let default = self.is_word("default") && symbol_is(self.ahead(1), ":");
            if default || self.is_word("case") {
                self.advance();
                let value = if default { None } else { Some(self.expression(LOOSEST)?) };
                self.expect(":")?;
                cases.push(Case { value, body: Vec::new() });
                continue;
            }
            match cases.last_mut() {
                Some(case) => case.body.push(self.statement()?),
                None => return self.expected("case or default"),
            }
        }
        Ok(Statement::Switch(value, cases))
    }

    /// A statement that ends with a semicolon.
    fn simple_statement(&mut self) -> Result<Statement, String> {
        let word = self.token().text.to_ascii_lowercase();
        let statement = match word.as_str() {
            _ if self.token().kind != Kind::Identifier => self.effect()?,
            "return" => {
                self.advance();
                Statement::Return(if self.is_symbol(";") {
                    None
                } else {
                    Some(self.expression(LOOSEST)?)
                })
            }
            "break" | "continue" | "stop" if symbol_is(self.ahead(1), ";") => {
                self.advance();
                match word.as_str() {
                    "break" => Statement::Break,
                    "continue" => Statement::Continue,
                    _ => Statement::Stop,
                }
            }
            "goto" => {
                self.advance();
                Statement::Goto(self.expression(LOOSEST)?)
            }
            "assert" => {
                self.advance();
                Statement::Assert(self.expression(LOOSEST)?)
            }
            _ => self.effect()?,
        };
        if !self.accept(";") {
            return self.expected("; behind a statement");
        }
        Ok(statement)
    }

    /// An assignment, or an expression that does something.
    fn effect(&mut self) -> Result<Statement, String> {
        let target = self.expression(LOOSEST)?;
        if !self.is_symbol("=") {
            if !target.is_effective() {
                return self.expected("a call or an assignment");
            }
            return Ok(Statement::Expression(target));
        }
        // UE3 takes `c ? a : b = value` too.
        if !target.is_assignable() && !matches!(target, Expression::Conditional(..)) {
            return self.expected("a variable before =");
        }
        self.advance();
        Ok(Statement::Assign(target, self.expression(LOOSEST)?))
    }
}
