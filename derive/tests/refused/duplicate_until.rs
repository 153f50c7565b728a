use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until(engine = 1001)]
    #[until(engine = 1002)]
    field: u32,
}

fn main() {}
