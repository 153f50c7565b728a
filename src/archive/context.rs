//! The context of an archive: facts about the file around a value.

use std::any::Any;
use std::sync::{Arc, LazyLock};

use bytes::Bytes;

/// Knowledge about the file around a value: its source bytes, and one value of each type that the format
/// put there (names, classes), found by its type. Immutable while values are serialised; shared by every
/// archive of a file.
///
/// ```
/// use farchive::archive::Context;
///
/// #[derive(Clone, Default)]
/// struct Palette(Vec<u32>);
///
/// let context = Context::of(vec![1, 2, 3]).with(Palette(vec![0xff_0000]));
/// assert_eq!(context.get::<Palette>().map(|palette| palette.0.len()), Some(1));
/// assert_eq!(context.source(), [1, 2, 3]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Context {
    source: Bytes,
    /// One of each type; few formats have more than one or two.
    values: Vec<Arc<dyn AnyDebug>>,
}

/// A value that is found by its type.
trait AnyDebug: Any + Send + Sync {}

impl<T: Any + Send + Sync> AnyDebug for T {}

impl std::fmt::Debug for dyn AnyDebug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }
}

impl Context {
    /// The context of archives that know nothing; always the same one, since archives are made for every
    /// body.
    #[doc(hidden)]
    #[inline]
    pub fn nothing() -> Arc<Self> {
        static NOTHING: LazyLock<Arc<Context>> = LazyLock::new(Arc::default);
        NOTHING.clone()
    }

    /// A context over these source bytes that knows nothing else.
    pub fn of(source: impl Into<Bytes>) -> Self {
        Self { source: source.into(), values: Vec::new() }
    }

    /// The same with a value, in place of what was there of its type.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.put(value);
        self
    }

    /// The same with the value of a type changed, which starts as its default.
    #[must_use]
    pub fn with_changed<T: Any + Send + Sync + Clone + Default>(
        mut self,
        change: impl FnOnce(&mut T),
    ) -> Self {
        self.change(change);
        self
    }

    /// Changes the value of a type, which starts as its default; one that others share is copied first.
    #[doc(hidden)]
    pub fn change<T: Any + Send + Sync + Clone + Default>(&mut self, change: impl FnOnce(&mut T)) {
        let own = self.values.iter_mut().filter_map(Arc::get_mut);
        if let Some(value) = own.filter_map(|value| (value as &mut dyn Any).downcast_mut()).next() {
            change(value);
            return;
        }
        let mut value = self.get::<T>().cloned().unwrap_or_default();
        change(&mut value);
        self.put(value);
    }

    fn put<T: Any + Send + Sync>(&mut self, value: T) {
        let value: Arc<dyn AnyDebug> = Arc::new(value);
        match self.values.iter_mut().find(|known| (&***known as &dyn Any).is::<T>()) {
            Some(known) => *known = value,
            None => self.values.push(value),
        }
    }

    /// The value of a type.
    #[inline]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.values.iter().find_map(|value| (&**value as &dyn Any).downcast_ref())
    }

    /// The source that spans are ranges of.
    #[inline]
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The source as a handle that outlives the context.
    #[doc(hidden)]
    #[inline]
    pub fn source_bytes(&self) -> Bytes {
        self.source.clone()
    }

    /// The same over another source: spans of this one mean nothing in it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Bytes>) -> Self {
        self.source = source.into();
        self
    }
}
