use farchive::Archived;

// Uses of the type are no errors of their own: the derive still implements the trait.
#[derive(Archived, Default)]
#[until(3)]
struct Wrong {
    #[since(5)]
    #[until(5)]
    first: u32,
    #[archive(maybe, when)]
    second: u32,
    #[since(ue6 = 1)]
    third: u32,
}

fn main() {
    let mut saver = farchive::Saver::new(farchive::Versions::default());
    let _ = Wrong::default().serialize(&mut saver);
}
