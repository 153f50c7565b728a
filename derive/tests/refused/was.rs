use farchive::Archived;

#[derive(Archived)]
struct Jump {
    #[archive(was(until = 3, from = f64::from))]
    first: f64,
    #[archive(was = 3)]
    second: f64,
    #[since(4)]
    #[archive(was(until = 3, from = f64::from, to = narrow))]
    third: f64,
    #[archive(was(until = 5, from = f64::from, to = narrow))]
    #[archive(was(until = 4, from = f64::from, to = narrow))]
    fourth: f64,
}

fn main() {}
