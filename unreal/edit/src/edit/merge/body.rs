//! Bodies that both sides have changed.

use std::collections::HashSet;
use std::sync::Arc;

use super::rows::merged_rows;
use super::value::{ThreeWay, number_of};
use crate::archive::{Archived, Context, Saver};
use crate::edit::level::ActorLists;
use crate::inspect::ReferenceTexts;
use crate::inspect::table_rows::{RowTable, row_path};
use crate::object::Body;
use crate::object::ue4::asset::small::MetaData;
use crate::object::ue4::structure::class::Class;
use crate::object::ue4::table::data_table::Row;
use crate::object::ue4::table::string_table::StringTable;
use crate::object::ue4::value::StructValue;
use crate::package::decode::native_as_mut;
use crate::primitive::{FString, Map, Name, PackageIndex};
use crate::property::PropertyList;
use crate::script::ScriptItem;
use crate::version::{UnrealVersions, Versions};

/// The parts of a body that are merged each for itself; the body is left without them.
#[derive(Default)]
struct BodyParts {
    lists: Vec<PropertyList>,
    rows: Option<Vec<Arc<Row>>>,
    curves: Option<Vec<(Name, StructValue)>>,
    texts: Option<Vec<(FString, FString)>>,
    code: Option<Vec<ScriptItem>>,
    actors: Option<Vec<PackageIndex>>,
    class: Option<ClassParts>,
    meta_data: Option<MetaData>,
}

/// The lists of a class whose elements have keys.
#[derive(Clone, PartialEq)]
struct ClassParts {
    children: Vec<PackageIndex>,
    functions: Vec<(Name, PackageIndex)>,
}

impl BodyParts {
    fn take(body: &mut Body) -> Self {
        let mut parts =
            Self { lists: body.lists_mut().map(std::mem::take).collect(), ..Self::default() };
        match RowTable::of(body) {
            Some(RowTable::Data(rows, _)) => parts.rows = Some(std::mem::take(rows).into_vec()),
            Some(RowTable::Curves(rows, _)) => parts.curves = Some(std::mem::take(rows)),
            None => {}
        }
        if let Some(table) = native_as_mut::<StringTable>(body) {
            parts.texts = Some(std::mem::take(&mut table.entries.0));
        }
        if let Some(class) = native_as_mut::<Class>(body) {
            let children = std::mem::take(&mut class.base.children);
            let functions = std::mem::take(&mut class.functions.0);
            parts.class = Some(ClassParts { children, functions });
        }
        parts.meta_data = native_as_mut::<MetaData>(body).map(std::mem::take);
        parts.code = body.native.code_mut().map(|code| std::mem::take(&mut code.items));
        parts.actors = ActorLists::of(body).map(|lists| std::mem::take(lists.actors));
        parts
    }

    fn put(self, body: &mut Body) {
        for (place, list) in body.lists_mut().zip(self.lists) {
            *place = list;
        }
        match (RowTable::of(body), self.rows, self.curves) {
            (Some(RowTable::Data(place, _)), Some(rows), _) => *place = rows.into(),
            (Some(RowTable::Curves(place, _)), _, Some(curves)) => *place = curves,
            _ => {}
        }
        if let (Some(table), Some(texts)) = (native_as_mut::<StringTable>(body), self.texts) {
            table.entries.0 = texts;
        }
        if let (Some(class), Some(parts)) = (native_as_mut::<Class>(body), self.class) {
            (class.base.children, class.functions.0) = (parts.children, parts.functions);
        }
        if let (Some(place), Some(data)) = (native_as_mut::<MetaData>(body), self.meta_data) {
            *place = data;
        }
        if let (Some(place), Some(items)) = (body.native.code_mut(), self.code) {
            place.items = items;
        }
        if let (Some(mut lists), Some(actors)) = (ActorLists::of(body), self.actors) {
            lists.change(|place| *place = actors);
        }
    }
}

/// Texts of objects.
type ObjectTexts = Vec<(PackageIndex, Map<Name, FString>)>;

/// The rows of objects that are there, and the others.
fn living(rows: &[(PackageIndex, Map<Name, FString>)]) -> (ObjectTexts, ObjectTexts) {
    rows.iter().cloned().partition(|(object, _)| !object.is_null())
}

/// The rest of a body, as bytes.
fn rest_of(body: &mut Body, versions: &Versions, context: &Arc<Context>) -> Option<Vec<u8>> {
    let mut saver = Saver::new(versions.of_bodies()).with_context(context.clone());
    body.serialize(&mut saver).ok()?;
    Some(saver.into_bytes())
}

impl ThreeWay<'_> {
    /// Merges two bodies with one base into ours.
    pub fn bodies(&mut self, base: &mut Body, ours: &mut Body, theirs: &mut Body) {
        let room = ActorLists::of(ours).and_then(|mut lists| lists.room().copied());
        for side in [&mut *base, &mut *theirs] {
            if let (Some(room), Some(mut lists)) = (room, ActorLists::of(side))
                && let Some(place) = lists.room()
            {
                *place = room;
            }
        }
        // What stands behind a gap in the mappings is bytes, which mean nothing without the slots that they are the values of.
        if [&*base, &*ours, &*theirs].iter().any(|body| body.is_partial()) {
            if self.takes_theirs("", base, ours, theirs) {
                std::mem::swap(ours, theirs);
            }
            return;
        }
        let (before, mut mine, mut other) =
            (BodyParts::take(base), BodyParts::take(ours), BodyParts::take(theirs));
        if before.lists.len() != mine.lists.len() || mine.lists.len() != other.lists.len() {
            if self.clashes("") {
                std::mem::swap(ours, theirs);
                mine = other;
            }
            return mine.put(ours);
        }
        for ((base, ours), theirs) in before.lists.iter().zip(&mut mine.lists).zip(&other.lists) {
            self.list(base, ours, theirs, "", 0);
        }
        self.rows(&before, &mut mine, &mut other);
        self.whole(&before.code, &mut mine.code, &other.code, "code");
        if let (Some(before), Some(mine), Some(other)) =
            (&before.actors, &mut mine.actors, &other.actors)
        {
            merge_actors(before, mine, other);
        }
        if let (Some(before), Some(mine), Some(other)) =
            (&before.class, &mut mine.class, &other.class)
        {
            self.class(before, mine, other);
        }
        if let (Some(before), Some(mine), Some(other)) =
            (&before.meta_data, &mut mine.meta_data, &other.meta_data)
        {
            self.meta_data(before, mine, other);
        }
        let takes_theirs = self.takes_theirs("data", base, ours, theirs);
        if takes_theirs {
            let shape = ours.shape().clone();
            std::mem::swap(ours, theirs);
            ours.set_shape(shape);
        }
        mine.put(ours);
    }

    /// Whether theirs is to be ours, as bytes: where only they have changed it, or where the caller prefers it.
    fn takes_theirs(
        &mut self,
        place: &str,
        base: &mut Body,
        ours: &mut Body,
        theirs: &mut Body,
    ) -> bool {
        let context = self.edit.decoding_context();
        let rest = |body: &mut Body| rest_of(body, self.edit.versions(), &context);
        match &(rest(base), rest(ours), rest(theirs)) {
            (Some(_), Some(mine), Some(other)) if mine == other => false,
            (Some(base), Some(_), Some(other)) if base == other => false,
            (Some(base), Some(mine), Some(_)) if base == mine => true,
            _ => self.clashes(place),
        }
    }

    /// Fields of a class, and its functions by their names.
    fn class(&mut self, before: &ClassParts, ours: &mut ClassParts, theirs: &ClassParts) {
        let key = |index: &PackageIndex| index.value();
        ours.children =
            merged_rows(&before.children, &ours.children, &theirs.children, key, |_, it, _| *it);
        let key = |row: &(Name, PackageIndex)| number_of(row.0);
        let name = |three: &Self, row: &(Name, PackageIndex)| three.edit.name_text(row.0);
        let functions = (&*before.functions, &mut ours.functions, &*theirs.functions);
        self.keyed(functions, "functions", key, name, |three, base, ours, theirs, path| {
            three.whole(base, ours, theirs, path);
        });
    }

    /// What the editor knows of objects, by object and key.
    fn meta_data(&mut self, before: &MetaData, ours: &mut MetaData, theirs: &MetaData) {
        type Texts = Map<Name, FString>;
        let key = |row: &(Name, FString)| number_of(row.0);
        let named = |place: &str, three: &Self, row: &(Name, FString)| {
            format!("{place}[{}]", three.edit.name_text(row.0))
        };
        let object = |three: &Self, row: &(PackageIndex, Texts)| {
            format!("objects[{}]", three.edit.reference_text(row.0))
        };
        // Texts of objects that are gone, which the engine drops: nobody has set them.
        let (before_rows, before_dead) = living(&before.objects.0);
        let (mut our_rows, our_dead) = living(&ours.objects.0);
        let (their_rows, their_dead) = living(&theirs.objects.0);
        let dead = if our_dead == before_dead { their_dead } else { our_dead };
        let rows = (&*before_rows, &mut our_rows, &*their_rows);
        let number = |row: &(PackageIndex, Texts)| row.0.value();
        self.keyed(rows, "objects", number, object, |three, base, ours, theirs, path| {
            let texts = (&*base.1.0, &mut ours.1.0, &*theirs.1.0);
            let name = |three: &Self, row: &(Name, FString)| named(path, three, row);
            three.keyed(texts, path, key, name, |three, base, ours, theirs, path| {
                three.whole(base, ours, theirs, path);
            });
        });
        ours.objects.0 = our_rows.into_iter().chain(dead).collect();
        let root = (&*before.root.0, &mut ours.root.0, &*theirs.root.0);
        let name = |three: &Self, row: &(Name, FString)| named("root", three, row);
        self.keyed(root, "root", key, name, |three, base, ours, theirs, path| {
            three.whole(base, ours, theirs, path);
        });
    }

    /// Rows of tables by their names.
    fn rows(&mut self, before: &BodyParts, mine: &mut BodyParts, other: &mut BodyParts) {
        if let (Some(before), Some(mine), Some(other)) = (&before.rows, &mut mine.rows, &other.rows)
        {
            let name = |three: &Self, row: &Arc<Row>| row_path(&three.edit.name_text(row.name));
            let key = |row: &Arc<Row>| number_of(row.name);
            self.keyed((before, mine, other), "", key, name, |three, base, ours, theirs, path| {
                let values = (&base.value, &mut Arc::make_mut(ours).value, &theirs.value);
                let [base, theirs] = [&values.0.properties, &values.2.properties];
                three.list(base, &mut values.1.properties, theirs, path, 1);
            });
        }
        if let (Some(before), Some(mine), Some(other)) =
            (&before.curves, &mut mine.curves, &other.curves)
        {
            type Curve = (Name, StructValue);
            let name = |three: &Self, row: &Curve| row_path(&three.edit.name_text(row.0));
            let key = |row: &Curve| number_of(row.0);
            self.keyed((before, mine, other), "", key, name, |three, base, ours, theirs, path| {
                let [base, theirs] = [&base.1.properties, &theirs.1.properties];
                three.list(base, &mut ours.1.properties, theirs, path, 1);
            });
        }
        if let (Some(before), Some(mine), Some(other)) =
            (&before.texts, &mut mine.texts, &other.texts)
        {
            let text = |text: &FString| text.text(&[]).unwrap_or_default().into_owned();
            let key = |row: &(FString, FString)| text(&row.0);
            let name = |_: &Self, row: &(FString, FString)| row_path(&text(&row.0));
            self.keyed((before, mine, other), "", key, name, |three, base, ours, theirs, path| {
                three.whole(base, ours, theirs, path);
            });
        }
    }
}

/// The actors of a level: those that went on either side go, those that came are there.
fn merge_actors(base: &[PackageIndex], ours: &mut Vec<PackageIndex>, theirs: &[PackageIndex]) {
    let values = |list: &[PackageIndex]| -> HashSet<i32> {
        list.iter().filter(|actor| !actor.is_null()).map(|actor| actor.value()).collect()
    };
    let (before, mine, other) = (values(base), values(ours), values(theirs));
    ours.retain(|actor| {
        let actor = actor.value();
        !before.contains(&actor) || other.contains(&actor)
    });
    let is_new = |actor: &&PackageIndex| {
        let actor = actor.value();
        other.contains(&actor) && !before.contains(&actor) && !mine.contains(&actor)
    };
    ours.extend(theirs.iter().filter(is_new).copied());
}
