use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(ue4 =)]
    field: u32,
}

fn main() {}
