//! Declarations of a class, as other code sees them.

use std::collections::HashMap;
use std::sync::Arc;

use super::syntax::{Expression, FunctionKind, Syntax};

/// A name in the letters that names are looked up by.
pub(super) fn fold(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// An expression of a text: the value of a constant, the length of an array.
#[derive(Debug, Clone)]
pub struct WrittenValue {
    /// The text.
    pub syntax: Arc<Syntax>,
    /// The expression in it.
    pub value: Arc<Expression>,
}

/// A type as a declaration writes it: what its names mean, the symbols at hand say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeName {
    /// No value.
    Void,
    /// A type of the language, a class, struct or enum.
    Named(String),
    /// A class that is this one or extends it.
    Class(String),
    /// A dynamic array.
    Array(Option<Box<TypeName>>),
    /// A map.
    Map,
    /// A delegate: the words of the path to its function.
    Delegate(Vec<String>),
}

/// How many values a static array holds.
#[derive(Debug, Clone)]
pub enum ArrayLength {
    /// As many.
    Number(u32),
    /// As the text says.
    Written(WrittenValue),
}

/// The owner of a variable or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The class.
    Class,
    /// A struct of the class, by its row.
    Struct(u32),
    /// A function of the class, by its row.
    Function(u32),
    /// A state of the class, by its row.
    State(u32),
}

/// A variable, struct member, parameter or local variable.
#[derive(Debug, Clone)]
pub struct VariableSymbol {
    /// Its name.
    pub name: String,
    /// Its owner.
    pub owner: Owner,
    /// Its type.
    pub of: TypeName,
    /// Its length, of a static array.
    pub length: Option<ArrayLength>,
    /// Words of parameters.
    pub is_optional: bool,
    /// The caller gets what is put into it.
    pub is_out: bool,
    /// It takes values of other types.
    pub is_coerce: bool,
    /// It is not computed where the first operand decides.
    pub is_skip: bool,
    /// `const` stands before it.
    pub is_const: bool,
    /// `native` stands before it: the engine alone knows how it is stored.
    pub is_native: bool,
}

/// A function.
#[derive(Debug, Clone)]
pub struct FunctionSymbol {
    /// Its name, or the symbol of an operator.
    pub name: String,
    /// The name of its object: of operators made of their symbols and types.
    pub object_name: String,
    /// The class or a state.
    pub owner: Owner,
    /// Its kind.
    pub kind: FunctionKind,
    /// Its number, where it is native and has one.
    pub native: Option<u16>,
    /// How close an operator binds: the smaller, the closer.
    pub precedence: u8,
    /// The type of its result.
    pub result: TypeName,
    /// Whether its result is of the class that an argument says.
    pub is_result_coerced: bool,
    /// Its parameters: rows of variables.
    pub parameters: Vec<u32>,
    /// Its local variables: rows of variables.
    pub locals: Vec<u32>,
    /// Whether no class below overrides it.
    pub is_final: bool,
    /// Whether only its class calls it.
    pub is_private: bool,
    /// Whether it takes time.
    pub is_latent: bool,
    /// Whether its code is in the engine.
    pub is_native: bool,
    /// Where it stands in the text: an item, and a function of it where that is a state.
    pub place: Option<(u32, Option<u32>)>,
}

/// A struct.
#[derive(Debug, Clone)]
pub struct StructSymbol {
    /// Its name.
    pub name: String,
    /// The struct that it extends.
    pub base: Option<String>,
    /// The struct that it is declared in.
    pub outer: Option<u32>,
    /// Its own members: rows of variables, in the order of the text.
    pub members: Vec<u32>,
    by_name: HashMap<String, u32>,
}

impl StructSymbol {
    /// Its own member of this name.
    pub fn member(&self, folded: &str) -> Option<u32> {
        self.by_name.get(folded).copied()
    }
}

/// An enum.
#[derive(Debug, Clone)]
pub struct EnumSymbol {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

impl EnumSymbol {
    /// The number of a value.
    pub fn value(&self, name: &str) -> Option<u8> {
        let row = self.values.iter().position(|it| it.eq_ignore_ascii_case(name))?;
        u8::try_from(row).ok()
    }

    /// The common prefix of all values' names, before the last underscore.
    pub fn prefix(&self) -> &str {
        let Some((first, others)) = self.values.split_first() else { return &self.name };
        let mut length = first.len();
        for other in others {
            let same = first.bytes().zip(other.bytes());
            let same = same.take_while(|(one, two)| one.eq_ignore_ascii_case(two)).count();
            length = length.min(same);
        }
        let prefix = first.get(..length).and_then(|it| it.rfind('_').and_then(|at| it.get(..at)));
        prefix.unwrap_or(&self.name)
    }
}

/// A state.
#[derive(Debug, Clone)]
pub struct StateSymbol {
    /// Its name.
    pub name: String,
    /// The state that it extends.
    pub base: Option<String>,
    /// Functions that it ignores.
    pub ignores: Vec<String>,
    functions: HashMap<String, u32>,
    /// Its item in the text.
    pub item: Option<u32>,
}

impl StateSymbol {
    /// Its own function of this name.
    pub fn function(&self, folded: &str) -> Option<u32> {
        self.functions.get(folded).copied()
    }
}

/// The declarations of a class: rows that names lead to.
#[derive(Debug, Clone, Default)]
pub struct ClassDeclarations {
    /// The class's name.
    pub name: String,
    /// The class that it extends; `None` is `Object`.
    pub base: Option<String>,
    /// The class whose objects its objects lie in.
    pub within: Option<String>,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// Interfaces that it implements.
    pub implements: Vec<String>,
    /// Its text, where it is from one.
    pub syntax: Option<Arc<Syntax>>,
    /// Variables of the class, its structs and its functions.
    pub variables: Vec<VariableSymbol>,
    /// Functions of the class and its states.
    pub functions: Vec<FunctionSymbol>,
    /// Structs.
    pub structs: Vec<StructSymbol>,
    /// Enums.
    pub enums: Vec<EnumSymbol>,
    /// States.
    pub states: Vec<StateSymbol>,
    /// Constants.
    pub constants: HashMap<String, WrittenValue>,
    variables_by_name: HashMap<String, u32>,
    functions_by_name: HashMap<String, u32>,
    structs_by_name: HashMap<String, u32>,
    enums_by_name: HashMap<String, u32>,
    states_by_name: HashMap<String, u32>,
    operators: HashMap<String, Vec<u32>>,
    overloads: HashMap<String, Vec<u32>>,
    values: HashMap<String, (u32, u8)>,
}

/// The number of the next row.
pub(super) fn row<T>(rows: &[T]) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}

impl ClassDeclarations {
    /// A class of this name that declares nothing yet.
    pub fn new(name: impl Into<String>, base: Option<String>) -> Self {
        Self { name: name.into(), base, ..Self::default() }
    }

    /// Adds a constant.
    pub fn add_constant_value(&mut self, name: &str, value: WrittenValue) {
        self.constants.insert(fold(name), value);
    }

    /// Adds an enum.
    pub fn add_enum_values(&mut self, name: &str, values: Vec<String>) {
        let number = row(&self.enums);
        for (at, value) in (0..=u8::MAX).zip(&values) {
            self.values.entry(fold(value)).or_insert((number, at));
        }
        self.enums_by_name.insert(fold(name), number);
        self.enums.push(EnumSymbol { name: name.to_owned(), values });
    }

    /// Adds a struct without members.
    pub fn add_empty_struct(
        &mut self,
        name: &str,
        base: Option<String>,
        outer: Option<u32>,
    ) -> u32 {
        let number = row(&self.structs);
        let (members, by_name) = (Vec::new(), HashMap::new());
        self.structs_by_name.entry(fold(name)).or_insert(number);
        self.structs.push(StructSymbol { name: name.to_owned(), base, outer, members, by_name });
        number
    }

    /// Adds a variable; of the class and of structs it is found by its name from then on.
    pub fn add_variable(&mut self, variable: VariableSymbol) -> u32 {
        let number = row(&self.variables);
        match variable.owner {
            Owner::Class => {
                self.variables_by_name.insert(fold(&variable.name), number);
            }
            Owner::Struct(owner) => {
                if let Some(owner) = self.structs.get_mut(owner as usize) {
                    owner.members.push(number);
                    owner.by_name.insert(fold(&variable.name), number);
                }
            }
            Owner::Function(_) | Owner::State(_) => {}
        }
        self.variables.push(variable);
        number
    }

    /// Adds a function; its parameters are added before.
    pub fn add_function_symbol(&mut self, function: FunctionSymbol, is_overloaded: bool) -> u32 {
        let number = row(&self.functions);
        let name = fold(if is_overloaded { &function.object_name } else { &function.name });
        match function.owner {
            _ if function.kind.is_operator() => {
                self.operators.entry(name).or_default().push(number);
            }
            Owner::State(state) => {
                if let Some(state) = self.states.get_mut(state as usize) {
                    state.functions.insert(name, number);
                }
            }
            _ => {
                self.functions_by_name.insert(name, number);
            }
        }
        if is_overloaded {
            self.overloads.entry(fold(&function.name)).or_default().push(number);
        }
        self.functions.push(function);
        number
    }

    /// Adds a state without functions.
    pub fn add_empty_state(&mut self, name: &str, base: Option<String>, item: Option<u32>) -> u32 {
        let number = row(&self.states);
        self.states_by_name.insert(fold(name), number);
        let (ignores, functions) = (Vec::new(), HashMap::new());
        self.states.push(StateSymbol { name: name.to_owned(), base, ignores, functions, item });
        number
    }

    /// The variable of the class of this name.
    pub fn variable_named(&self, folded: &str) -> Option<u32> {
        self.variables_by_name.get(folded).copied()
    }

    /// The function of the class of this name.
    pub fn function_named(&self, folded: &str) -> Option<u32> {
        self.functions_by_name.get(folded).copied()
    }

    /// The struct of this name, in the class or in a struct of it.
    pub fn struct_named(&self, folded: &str) -> Option<u32> {
        self.structs_by_name.get(folded).copied()
    }

    /// The enum of this name, in the class or in a struct of it.
    pub fn enum_named(&self, folded: &str) -> Option<u32> {
        self.enums_by_name.get(folded).copied()
    }

    /// The state of this name.
    pub fn state_named(&self, folded: &str) -> Option<u32> {
        self.states_by_name.get(folded).copied()
    }

    /// The operators of a symbol, in the order of the text.
    pub fn operators(&self, folded: &str) -> &[u32] {
        self.operators.get(folded).map_or(&[], Vec::as_slice)
    }

    /// Functions of one name and different parameters (SWAT 4).
    pub fn overloads(&self, folded: &str) -> &[u32] {
        self.overloads.get(folded).map_or(&[], Vec::as_slice)
    }

    /// The enum that has a value of this name, and its number.
    pub fn enum_value(&self, folded: &str) -> Option<(u32, u8)> {
        self.values.get(folded).copied()
    }

    /// The names of all structs.
    pub(super) fn struct_names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.structs_by_name.iter().map(|(name, row)| (name.as_str(), *row))
    }

    /// The names of all enums.
    pub(super) fn enum_names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.enums_by_name.iter().map(|(name, row)| (name.as_str(), *row))
    }

    /// The names of all values of enums.
    pub(super) fn value_names(&self) -> impl Iterator<Item = (&str, (u32, u8))> {
        self.values.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The names of variables and functions of the class, for advice.
    pub(super) fn member_names(&self) -> impl Iterator<Item = &str> {
        let variables = self.variables.iter().filter(|it| it.owner == Owner::Class);
        let functions = self.functions.iter().filter(|it| !it.kind.is_operator());
        variables.map(|it| it.name.as_str()).chain(functions.map(|it| it.name.as_str()))
    }
}
