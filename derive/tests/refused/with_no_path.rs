use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(with = |field, ar| Ok(()))]
    field: u32,
}

fn main() {}
