use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(5, ue4 = 214)]
    field: u32,
}

fn main() {}
