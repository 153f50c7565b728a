//! Numbers without pattern, the same for the same start.

/// A generator (xorshift).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of this number.
    pub fn new(number: u64) -> Self {
        let mut random = Self(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // The first numbers of a small start are alike.
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
