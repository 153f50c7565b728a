use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(ue3 = 5)]
    field: u32,
}

fn main() {}
