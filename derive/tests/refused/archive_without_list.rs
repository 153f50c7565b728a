use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive]
    field: u32,
}

fn main() {}
