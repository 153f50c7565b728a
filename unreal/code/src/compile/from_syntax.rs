//! The declarations of a class from its text.

mod overlay;

use std::sync::Arc;

use super::declarations::{
    ArrayLength, ClassDeclarations, FunctionSymbol, Owner, TypeName, VariableSymbol, WrittenValue,
    fold, row,
};
use super::syntax::{
    self, DeclaredName, Expression, FunctionKind, StatementSyntax, StatementSyntaxKind, Syntax,
    SyntaxItem, TypeKind, TypeSyntax, Variables,
};

impl TypeName {
    fn of(written: &TypeSyntax) -> Self {
        match &written.kind {
            TypeKind::Named(word) => Self::Named(word.text.clone()),
            TypeKind::Class(word) => {
                Self::Class(word.as_ref().map_or_else(|| "Object".to_owned(), |it| it.text.clone()))
            }
            TypeKind::Array(inner) => Self::Array(inner.as_ref().map(|it| Box::new(Self::of(it)))),
            TypeKind::Map => Self::Map,
            TypeKind::Delegate(path) => {
                Self::Delegate(path.iter().map(|it| it.text.clone()).collect())
            }
            TypeKind::Enum(it) => Self::Named(it.name.text.clone()),
            TypeKind::Struct(it) => Self::Named(it.name.text.clone()),
        }
    }
}

impl ClassDeclarations {
    /// The declarations of a text; `None` where it declares no class.
    pub fn of(syntax: Arc<Syntax>) -> Option<Self> {
        let header = syntax.class.as_ref()?;
        let text = |word: &syntax::Word| word.text.clone();
        let mut all = Self::new(text(&header.name), header.base.as_ref().map(text));
        all.within = header.within.as_ref().map(text);
        all.is_interface = header.is_interface;
        all.implements = header.implements.iter().map(text).collect();
        all.syntax = Some(syntax.clone());
        for (place, item) in (0_u32..).zip(&syntax.items) {
            match item {
                SyntaxItem::Constant(constant) => all.add_constant(constant, &syntax),
                SyntaxItem::Enum(it) => all.add_enum(it),
                SyntaxItem::Struct(it) => drop(all.add_struct(it, None, &syntax)),
                SyntaxItem::Variables(it) => drop(all.add_variables(it, Owner::Class, &syntax)),
                SyntaxItem::Function(it) => {
                    all.add_function(it, Owner::Class, (place, None), &syntax);
                }
                SyntaxItem::State(it) => all.add_state(it, place, &syntax),
                _ => {}
            }
        }
        Some(all)
    }

    fn add_constant(&mut self, constant: &syntax::Constant, syntax: &Arc<Syntax>) {
        let value = Arc::new(constant.value.clone());
        self.add_constant_value(
            &constant.name.text,
            WrittenValue { syntax: syntax.clone(), value },
        );
    }

    fn add_enum(&mut self, written: &syntax::Enum) {
        let values = written.values.iter().map(|it| it.text.clone()).collect();
        self.add_enum_values(&written.name.text, values);
    }

    fn add_struct(
        &mut self,
        written: &syntax::Struct,
        outer: Option<u32>,
        syntax: &Arc<Syntax>,
    ) -> u32 {
        let base = written.base.as_ref().map(|it| it.text.clone());
        let number = self.add_empty_struct(&written.name.text, base, outer);
        for item in &written.items {
            match item {
                SyntaxItem::Constant(constant) => {
                    let value = Arc::new(constant.value.clone());
                    let value = WrittenValue { syntax: syntax.clone(), value };
                    self.constants.entry(fold(&constant.name.text)).or_insert(value);
                }
                SyntaxItem::Enum(it) => self.add_enum(it),
                SyntaxItem::Struct(it) => drop(self.add_struct(it, Some(number), syntax)),
                SyntaxItem::Variables(it) => {
                    drop(self.add_variables(it, Owner::Struct(number), syntax))
                }
                _ => {}
            }
        }
        number
    }

    /// Adds what a type declares where it stands.
    fn add_inline(&mut self, of: &TypeSyntax, owner: Owner, syntax: &Arc<Syntax>) {
        match &of.kind {
            TypeKind::Enum(it) => self.add_enum(it),
            TypeKind::Struct(it) => {
                let outer = if let Owner::Struct(outer) = owner { Some(outer) } else { None };
                self.add_struct(it, outer, syntax);
            }
            TypeKind::Array(Some(inner)) => self.add_inline(inner, owner, syntax),
            _ => {}
        }
    }

    fn add_variables(
        &mut self,
        written: &Variables,
        owner: Owner,
        syntax: &Arc<Syntax>,
    ) -> Vec<u32> {
        self.add_inline(&written.of, owner, syntax);
        let has = |word: &str| syntax::Modifier::find(&written.modifiers, word).is_some();
        let (is_const, is_native) = (has("const"), has("native") || has("intrinsic"));
        let of = TypeName::of(&written.of);
        let one = |declared| {
            let variable = Self::variable(declared, of.clone(), owner, is_const, syntax);
            VariableSymbol { is_native, ..variable }
        };
        let variables: Vec<VariableSymbol> = written.declared.iter().map(one).collect();
        variables.into_iter().map(|variable| self.add_variable(variable)).collect()
    }

    fn variable(
        declared: &DeclaredName,
        of: TypeName,
        owner: Owner,
        is_const: bool,
        syntax: &Arc<Syntax>,
    ) -> VariableSymbol {
        let written = |value: &Expression| {
            let value = Arc::new(value.clone());
            ArrayLength::Written(WrittenValue { syntax: syntax.clone(), value })
        };
        VariableSymbol {
            name: declared.name.text.clone(),
            owner,
            of,
            length: declared.dimension.as_ref().map(written),
            is_optional: false,
            is_out: false,
            is_coerce: false,
            is_skip: false,
            is_const,
            is_native: false,
        }
    }

    fn add_function(
        &mut self,
        written: &syntax::Function,
        owner: Owner,
        place: (u32, Option<u32>),
        syntax: &Arc<Syntax>,
    ) -> u32 {
        let number = row(&self.functions);
        let mut parameters = Vec::new();
        for parameter in &written.parameters {
            let of = TypeName::of(&parameter.of);
            let is_const = parameter.has("const");
            let mut variable =
                Self::variable(&parameter.declared, of, Owner::Function(number), is_const, syntax);
            variable.is_optional = parameter.has("optional");
            variable.is_out = parameter.has("out");
            variable.is_coerce = parameter.has("coerce");
            variable.is_skip = parameter.has("skip");
            parameters.push(self.add_variable(variable));
        }
        let types = || written.parameters.iter().map(|it| TypeName::of(&it.of));
        let name = written.name.text.clone();
        let object_name = match written.kind {
            _ if written.has("overloaded") => overloaded_name(&name, types()),
            FunctionKind::Operator | FunctionKind::PreOperator | FunctionKind::PostOperator => {
                operator_name(&name, written.kind, types())
            }
            _ => name.clone(),
        };
        let function = FunctionSymbol {
            name,
            object_name,
            owner,
            kind: written.kind,
            native: written.native.filter(|number| *number != 0),
            precedence: written.precedence,
            result: written.result.as_ref().map_or(TypeName::Void, TypeName::of),
            is_result_coerced: written.is_result_coerced,
            parameters,
            locals: Vec::new(),
            is_final: written.has("final"),
            is_private: written.has("private"),
            is_latent: written.has("latent"),
            is_native: written.is_native(),
            place: Some(place),
        };
        let number = self.add_function_symbol(function, written.has("overloaded"));
        if written.kind == FunctionKind::Delegate && owner == Owner::Class {
            self.add_variable(VariableSymbol {
                name: delegate_variable(&written.name.text),
                owner,
                of: TypeName::Delegate(vec![written.name.text.clone()]),
                length: None,
                is_optional: false,
                is_out: false,
                is_coerce: false,
                is_skip: false,
                is_const: false,
                is_native: false,
            });
        }
        if let Some(body) = &written.body {
            let mut locals = Vec::new();
            self.declared_in(&body.statements, number, &mut locals, syntax);
            if let Some(function) = self.functions.get_mut(number as usize) {
                function.locals = locals;
            }
        }
        number
    }

    /// Local variables and constants among statements.
    fn declared_in(
        &mut self,
        statements: &[StatementSyntax],
        function: u32,
        locals: &mut Vec<u32>,
        syntax: &Arc<Syntax>,
    ) {
        for statement in statements {
            match &statement.kind {
                StatementSyntaxKind::Local(it) => {
                    locals.extend(self.add_variables(it, Owner::Function(function), syntax));
                }
                StatementSyntaxKind::Constant(it) => self.add_constant(it, syntax),
                _ => statement.each_inner(&mut |inner| {
                    self.declared_in(std::slice::from_ref(inner), function, locals, syntax);
                }),
            }
        }
    }

    fn add_state(&mut self, written: &syntax::State, item: u32, syntax: &Arc<Syntax>) {
        let base = written.base.as_ref().map(|it| it.text.clone());
        let number = self.add_empty_state(&written.name.text, base, Some(item));
        if let Some(state) = self.states.get_mut(number as usize) {
            state.ignores = written.ignores.iter().map(|it| it.text.clone()).collect();
        }
        for (at, function) in (0_u32..).zip(&written.functions) {
            self.add_function(function, Owner::State(number), (item, Some(at)), syntax);
        }
        if let Some(body) = &written.body {
            let constants =
                |it: &&StatementSyntax| matches!(it.kind, StatementSyntaxKind::Constant(_));
            for statement in body.statements.iter().filter(constants) {
                if let StatementSyntaxKind::Constant(it) = &statement.kind {
                    self.add_constant(it, syntax);
                }
            }
        }
    }
}

impl StatementSyntax {
    /// Calls for each statement within this one.
    pub fn each_inner(&self, each: &mut dyn FnMut(&Self)) {
        match &self.kind {
            StatementSyntaxKind::Block(all) | StatementSyntaxKind::Switch(_, all) => {
                all.iter().for_each(each)
            }
            StatementSyntaxKind::If(branches, otherwise) => {
                branches.iter().for_each(|branch| each(&branch.body));
                otherwise.iter().for_each(|it| each(it));
            }
            StatementSyntaxKind::While(_, body)
            | StatementSyntaxKind::Do(body, _)
            | StatementSyntaxKind::ForEach(_, body) => each(body),
            StatementSyntaxKind::For(parts) => each(&parts.body),
            _ => {}
        }
    }
}

/// A type in the name of an operator's or overloaded function's object.
fn short(of: &TypeName) -> String {
    let capital = |word: &str| {
        let mut letters = word.to_ascii_lowercase();
        letters.get_mut(..1).iter_mut().for_each(|first| first.make_ascii_uppercase());
        letters
    };
    let simple = ["byte", "int", "bool", "float", "name", "pointer", "button"];
    match of {
        TypeName::Named(name) if name.eq_ignore_ascii_case("string") => "Str".to_owned(),
        TypeName::Named(name) if simple.iter().any(|it| name.eq_ignore_ascii_case(it)) => {
            capital(name)
        }
        TypeName::Named(name)
            if ["vector", "rotator"].iter().any(|it| name.eq_ignore_ascii_case(it)) =>
        {
            capital(name)
        }
        TypeName::Named(name) => name.clone(),
        TypeName::Void => "Void".to_owned(),
        TypeName::Class(_) => "Class".to_owned(),
        TypeName::Array(_) => "Array".to_owned(),
        TypeName::Map => "Map".to_owned(),
        TypeName::Delegate(_) => "Delegate".to_owned(),
    }
}

/// The name of an operator's object: `Subtract_VectorVector` (spec: ue1-3/15 §15.5).
fn operator_name(
    symbol: &str,
    kind: FunctionKind,
    parameters: impl Iterator<Item = TypeName>,
) -> String {
    let mut name = crate::language::symbol::words_of(symbol);
    name.push('_');
    if kind == FunctionKind::PreOperator {
        name.push_str("Pre");
    }
    name.extend(parameters.map(|it| short(&it)));
    name
}

fn overloaded_name(name: &str, parameters: impl Iterator<Item = TypeName>) -> String {
    let types: String = parameters.map(|it| short(&it)).collect();
    format!("{name}_{}", if types.is_empty() { "Void" } else { &types })
}

/// The name of the variable that holds what a delegate calls.
pub fn delegate_variable(delegate: &str) -> String {
    format!("__{delegate}__Delegate")
}
