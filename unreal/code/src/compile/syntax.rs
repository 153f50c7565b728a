//! The syntax tree of a class: all declarations and statements. Nodes say where they stand by the numbers of their
//! tokens ([`Syntax::token`]).

use super::source::{SourceText, TextPlace};
use super::token::{Directive, Token, TokenKind, Tokens};

/// A class file.
#[derive(Debug, Clone)]
pub struct Syntax {
    /// The text.
    pub source: SourceText,
    /// Its tokens.
    pub tokens: Tokens,
    /// The declaration of the class; `None` where the text has none.
    pub class: Option<ClassHeader>,
    /// Everything behind it, in the order of the text.
    pub items: Vec<SyntaxItem>,
}

impl Syntax {
    /// A token; of a number that is none the end.
    pub fn token(&self, token: u32) -> Token {
        let tokens = &self.tokens.tokens;
        let end = self.source.text().len() as u32;
        let last = Token { kind: TokenKind::End, start: end, end };
        tokens.get(token as usize).or(tokens.last()).copied().unwrap_or(last)
    }

    /// The text of a token.
    pub fn text(&self, token: u32) -> &str {
        let token = self.token(token);
        self.source.slice(token.start as usize, token.end as usize)
    }

    /// Where a token stands.
    pub fn place(&self, token: u32) -> TextPlace {
        self.source.place(self.token(token).start as usize)
    }

    /// The bytes from a token to another one, inclusive.
    pub fn range(&self, first: u32, last: u32) -> (usize, usize) {
        (self.token(first).start as usize, self.token(last).end as usize)
    }
}

/// A word, a name or the symbol of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its letters.
    pub text: String,
    /// Its token.
    pub token: u32,
}

impl Word {
    /// Whether it is this word, in any case.
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

/// A word of a declaration, perhaps with values in parentheses: `native(12)`, `config(User)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    /// The word.
    pub word: Word,
    /// The values; `None` without parentheses.
    pub arguments: Option<Vec<String>>,
}

impl Modifier {
    /// The modifier of this word among these.
    pub fn find<'a>(modifiers: &'a [Self], word: &str) -> Option<&'a Self> {
        modifiers.iter().find(|modifier| modifier.word.is(word))
    }
}

/// The declaration of a class.
#[derive(Debug, Clone)]
pub struct ClassHeader {
    /// Its first token: `class` or `interface`.
    pub first: u32,
    /// The semicolon.
    pub last: u32,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// Its name.
    pub name: Word,
    /// The class that it extends, without a package.
    pub base: Option<Word>,
    /// The class whose objects its objects lie in.
    pub within: Option<Word>,
    /// Interfaces that it implements.
    pub implements: Vec<Word>,
    /// All other words, in the order of the text.
    pub modifiers: Vec<Modifier>,
}

/// A part of a class file.
#[derive(Debug, Clone)]
pub enum SyntaxItem {
    /// `const A = 1;`
    Constant(Constant),
    /// `enum E { A, B };`
    Enum(Enum),
    /// `struct S { var int A; };`
    Struct(Struct),
    /// `var int A, B;`
    Variables(Variables),
    /// A function, event, operator or delegate.
    Function(Box<Function>),
    /// A state.
    State(Box<State>),
    /// `replication { }`
    Replication(Replication),
    /// A block that is no code: `defaultproperties`, `cpptext`...
    Block(RawBlock),
    /// A line that begins with `#`.
    Directive(Directive),
    /// `import enum E from C;`, `import class C;`
    Import(Vec<Word>),
}

/// A constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// Its first token.
    pub first: u32,
    /// The semicolon.
    pub last: u32,
    /// Its name.
    pub name: Word,
    /// Its value: read anew wherever it is used.
    pub value: Expression,
    /// The text of the value.
    pub text: String,
}

/// An enum.
#[derive(Debug, Clone)]
pub struct Enum {
    /// Its first token.
    pub first: u32,
    /// The closing brace.
    pub last: u32,
    /// Its name.
    pub name: Word,
    /// Its values.
    pub values: Vec<Word>,
    /// The text in angle brackets behind values, by their numbers.
    pub metadata: Vec<(usize, String)>,
}

/// A struct.
#[derive(Debug, Clone)]
pub struct Struct {
    /// Its first token.
    pub first: u32,
    /// The closing brace.
    pub last: u32,
    /// Words before its name.
    pub modifiers: Vec<Modifier>,
    /// Its name.
    pub name: Word,
    /// The struct that it extends.
    pub base: Option<Word>,
    /// Its members, in the order of the text: constants, enums, structs, variables, blocks.
    pub items: Vec<SyntaxItem>,
}

/// A type as it is written.
#[derive(Debug, Clone)]
pub struct TypeSyntax {
    /// Its first token.
    pub first: u32,
    /// Its last token.
    pub last: u32,
    /// Its kind.
    pub kind: TypeKind,
}

/// The forms of types.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// A word: a type of the language, a class, struct or enum; the last one of a path.
    Named(Word),
    /// `class<A>`; without a name any class.
    Class(Option<Word>),
    /// `array<int>`; without a type of unknown elements.
    Array(Option<Box<TypeSyntax>>),
    /// `map<int,int>`.
    Map,
    /// `delegate<F>`: the words of the path.
    Delegate(Vec<Word>),
    /// An enum that is declared where it is used.
    Enum(Box<Enum>),
    /// A struct that is declared where it is used.
    Struct(Box<Struct>),
}

/// Variables of one type: of a class, struct or function.
#[derive(Debug, Clone)]
pub struct Variables {
    /// Its first token: `var` or `local`.
    pub first: u32,
    /// The semicolon.
    pub last: u32,
    /// The category in parentheses behind `var`: an empty text for the class's own name; `None` without parentheses.
    pub category: Option<String>,
    /// Words before the type.
    pub modifiers: Vec<Modifier>,
    /// The type.
    pub of: TypeSyntax,
    /// The variables.
    pub declared: Vec<DeclaredName>,
}

/// A variable or parameter.
#[derive(Debug, Clone)]
pub struct DeclaredName {
    /// Its name.
    pub name: Word,
    /// How many values it holds, where it is a static array.
    pub dimension: Option<Expression>,
    /// The text in angle brackets behind its name.
    pub metadata: Option<String>,
    /// The C++ type of a native variable, in braces behind its name.
    pub native_type: Option<String>,
    /// A comment in double quotes behind it, with the quotes.
    pub comment: Option<String>,
}

/// The kind of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// `function`
    Function,
    /// `event`
    Event,
    /// `delegate`
    Delegate,
    /// `operator`
    Operator,
    /// `preoperator`
    PreOperator,
    /// `postoperator`
    PostOperator,
}

impl FunctionKind {
    /// Whether it is an operator of any kind.
    pub fn is_operator(self) -> bool {
        matches!(self, Self::Operator | Self::PreOperator | Self::PostOperator)
    }
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its first token.
    pub first: u32,
    /// Its last token: the closing brace or the semicolon.
    pub last: u32,
    /// Its words, that of its kind among them, in the order of the text.
    pub modifiers: Vec<Modifier>,
    /// Its kind.
    pub kind: FunctionKind,
    /// Its number, where it is native and has one.
    pub native: Option<u16>,
    /// Its precedence, of an operator.
    pub precedence: u8,
    /// The type of its result.
    pub result: Option<TypeSyntax>,
    /// Whether its result has the type that an argument says.
    pub is_result_coerced: bool,
    /// Its name, or the symbol of an operator.
    pub name: Word,
    /// Its parameters.
    pub parameters: Vec<ParameterSyntax>,
    /// The parenthesis behind the parameters.
    pub close: u32,
    /// Whether `const` stands behind the parameters.
    pub is_const: bool,
    /// Its body; `None` of a mere declaration.
    pub body: Option<Body>,
}

impl Function {
    /// Whether a word stands before it.
    pub fn has(&self, word: &str) -> bool {
        Modifier::find(&self.modifiers, word).is_some()
    }

    /// Whether its code is not in the package.
    pub fn is_native(&self) -> bool {
        self.has("native") || self.has("intrinsic")
    }
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct ParameterSyntax {
    /// Words before the type: `optional`, `out`, `skip`, `coerce`, `const`...
    pub modifiers: Vec<Word>,
    /// The type.
    pub of: TypeSyntax,
    /// Its name and dimension.
    pub declared: DeclaredName,
    /// The value of a parameter that is left out, and the token of `=`.
    pub value: Option<(u32, Expression)>,
}

impl ParameterSyntax {
    /// Whether a word stands before it; a value makes it optional.
    pub fn has(&self, word: &str) -> bool {
        self.modifiers.iter().any(|it| it.is(word)) || word == "optional" && self.value.is_some()
    }
}

/// The statements of a function or state.
#[derive(Debug, Clone)]
pub struct Body {
    /// The opening brace.
    pub open: u32,
    /// The closing brace.
    pub close: u32,
    /// The statements; those that declare are among them.
    pub statements: Vec<StatementSyntax>,
}

impl Body {
    /// The token where code begins: behind local variables and constants.
    pub fn start(&self) -> u32 {
        let declares = |it: &&StatementSyntax| {
            !matches!(it.kind, StatementSyntaxKind::Local(_) | StatementSyntaxKind::Constant(_))
        };
        self.statements.iter().find(declares).map_or(self.close, |statement| statement.first)
    }
}

/// A state.
#[derive(Debug, Clone)]
pub struct State {
    /// Its first token.
    pub first: u32,
    /// The closing brace or the semicolon.
    pub last: u32,
    /// Words before `state`.
    pub modifiers: Vec<Modifier>,
    /// Whether parentheses stand behind `state`.
    pub is_editable: bool,
    /// Its name.
    pub name: Word,
    /// The state that it extends.
    pub base: Option<Word>,
    /// Functions that it ignores.
    pub ignores: Vec<Word>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// Its code, and its braces; `None` of a mere declaration.
    pub body: Option<Body>,
}

/// A replication block.
#[derive(Debug, Clone)]
pub struct Replication {
    /// `replication`.
    pub first: u32,
    /// The opening brace.
    pub open: u32,
    /// The closing brace.
    pub close: u32,
    /// The conditions, in the order of the text.
    pub conditions: Vec<ReplicationCondition>,
}

/// A condition, and what is replicated under it.
#[derive(Debug, Clone)]
pub struct ReplicationCondition {
    /// Whether `reliable` stands before it; `None` where neither word does (UE3).
    pub is_reliable: Option<bool>,
    /// The condition.
    pub condition: Expression,
    /// Variables and functions.
    pub names: Vec<Word>,
}

/// A block whose text is not code.
#[derive(Debug, Clone)]
pub struct RawBlock {
    /// The word before it, and its token.
    pub word: Word,
    /// The closing brace.
    pub close: u32,
    /// The bytes between the braces.
    pub start: usize,
    /// Where they end.
    pub end: usize,
}

/// A statement.
#[derive(Debug, Clone)]
pub struct StatementSyntax {
    /// Its first token.
    pub first: u32,
    /// Its last token.
    pub last: u32,
    /// Its kind.
    pub kind: StatementSyntaxKind,
}

/// A branch of `if`.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The token of its `if`.
    pub word: u32,
    /// The condition.
    pub condition: Expression,
    /// The statement.
    pub body: StatementSyntax,
}

/// The forms of statements.
#[derive(Debug, Clone)]
pub enum StatementSyntaxKind {
    /// `;`
    Empty,
    /// `{ }`
    Block(Vec<StatementSyntax>),
    /// `local int A;`
    Local(Variables),
    /// `const A = 1;`
    Constant(Constant),
    /// `a = b`; the token of the sign stands between.
    Assign(Expression, u32, Expression),
    /// A call, or an operator that changes something.
    Expression(Expression),
    /// `if`, its `else if`s, and its `else`.
    If(Vec<Branch>, Option<Box<StatementSyntax>>),
    /// `while`
    While(Expression, Box<StatementSyntax>),
    /// `do { } until (c);`
    Do(Box<StatementSyntax>, Option<Expression>),
    /// `for`
    For(Box<For>),
    /// `foreach`
    ForEach(Expression, Box<StatementSyntax>),
    /// `switch`
    Switch(Expression, Vec<StatementSyntax>),
    /// `case e:` within a switch.
    Case(Expression),
    /// `default:` within a switch.
    Default,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expression>),
    /// `stop`
    Stop,
    /// `assert`
    Assert(Expression),
    /// `goto L` in a function.
    GotoLabel(Word),
    /// `goto 'L'`, `goto(e)`; in states `goto L` reads as an expression as well.
    Goto(Expression),
    /// `L:`
    Label(Word),
}

/// The parts of a `for`.
#[derive(Debug, Clone)]
pub struct For {
    /// The parenthesis before the parts.
    pub open: u32,
    /// The first statement.
    pub init: Option<StatementSyntax>,
    /// The semicolon behind it.
    pub first_semicolon: u32,
    /// How long.
    pub condition: Option<Expression>,
    /// The semicolon behind it.
    pub second_semicolon: u32,
    /// The statement behind the body.
    pub step: Option<StatementSyntax>,
    /// The parenthesis behind the parts.
    pub close: u32,
    /// The body.
    pub body: StatementSyntax,
}

/// An expression: operands and the operators around them, in the order of the text. Which operators bind closer, the
/// functions say that they call, so that there is no tree of them here.
#[derive(Debug, Clone)]
pub struct Expression {
    /// Its first token.
    pub first: u32,
    /// Its last token.
    pub last: u32,
    /// Operands and operators.
    pub items: Vec<ExpressionItem>,
    /// `? a : b` at its end.
    pub choice: Option<Box<(Expression, Expression)>>,
}

/// A part of an expression.
#[derive(Debug, Clone)]
pub enum ExpressionItem {
    /// A value.
    Operand(Operand),
    /// The symbol or word of an operator: its token.
    Operator(u32),
}

/// A value, and what is taken of it.
#[derive(Debug, Clone)]
pub struct Operand {
    /// Its first token.
    pub first: u32,
    /// Its last token.
    pub last: u32,
    /// Its start.
    pub base: OperandBase,
    /// The parts behind it, in order.
    pub behind: Vec<Postfix>,
}

/// The start of a value.
#[derive(Debug, Clone)]
pub enum OperandBase {
    /// A number.
    Number,
    /// A text in double quotes.
    Text,
    /// A name in single quotes.
    Name,
    /// A word: a variable, function, constant, class, `self`, `true`...
    Word(Word),
    /// `( )`
    Parentheses(Expression),
    /// `class'A.B'`: the word, and the name with its quotes.
    Object(Word, u32),
    /// `class<A>(e)`: the class and the value.
    ClassCast(Word, Box<Expression>),
    /// `new(outer, name, flags) class`.
    New(Vec<Option<Expression>>, Box<Operand>),
}

/// A part behind a value.
#[derive(Debug, Clone)]
pub struct Postfix {
    /// Its last token.
    pub last: u32,
    /// Its kind.
    pub kind: PostfixKind,
}

/// The forms of what stands behind a value.
#[derive(Debug, Clone)]
pub enum PostfixKind {
    /// `.a`
    Member(Word),
    /// `[i]`
    Index(Expression),
    /// `(a,,b)`: `None` where an argument is left out.
    Arguments(Vec<Option<Expression>>),
}
