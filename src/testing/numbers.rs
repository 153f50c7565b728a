//! Random numbers that the laws choose by.

/// Numbers from a fixed start, so that a failure comes back.
pub(super) struct LawNumbers(pub u64);

impl LawNumbers {
    /// A number below `below`.
    pub fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below.max(1)
    }
}
