use farchive::Archived;

#[derive(Archived)]
#[repr(u8)]
enum First {
    #[archive(other)]
    Other(u8),
    Last,
}

#[derive(Archived)]
#[repr(u8)]
enum WithoutTag {
    First,
    #[archive(other)]
    Other,
}

#[derive(Archived)]
#[repr(u8)]
enum WithDiscriminant {
    First,
    #[archive(other)]
    #[since(2)]
    Other(#[archive(with = path)] u8) = 5,
}

#[derive(Archived)]
struct OfField {
    #[archive(other)]
    field: u8,
    #[archive(rename = name)]
    renamed: u8,
}

fn main() {}
