use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until(ue4 = 300)]
    #[since(ue4 = 400)]
    field: u32,
}

fn main() {}
