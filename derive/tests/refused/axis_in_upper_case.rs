use farchive::Archived;
use farchive::version::Axis;

const ENGINE: Axis = Axis::new(1, "engine");

#[derive(Archived)]
struct Wrong {
    #[since(ENGINE = 5)]
    field: u32,
}

fn main() {}
