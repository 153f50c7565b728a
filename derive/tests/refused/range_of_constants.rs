use farchive::Archived;

const FIRST: u32 = 10;
const LAST: u32 = 9;

#[derive(Archived)]
struct Wrong {
    #[since(FIRST)]
    #[until(LAST)]
    field: u32,
}

fn main() {}
