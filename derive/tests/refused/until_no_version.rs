use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until(engine = 0)]
    field: u32,
}

fn main() {}
