//! Reproducible random numbers.

/// `SplitMix64` (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Between -1 and 1.
    pub fn symmetric(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }

    /// Moves `count` items in random order to the front.
    pub fn choose<T>(&mut self, items: &mut [T], count: usize) {
        for place in 0..count.min(items.len()) {
            let left = (items.len() - place) as u64;
            items.swap(place, place + (self.next() % left) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choosing_everything_shuffles_and_loses_nothing() {
        let mut items: Vec<usize> = (0..100).collect();
        Random::new(1).choose(&mut items, 100);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_lie_between_minus_one_and_one_around_zero() {
        let mut random = Random::new(7);
        let draws: Vec<f32> = (0..10_000).map(|_| random.symmetric()).collect();
        assert!(draws.iter().all(|draw| (-1.0..=1.0).contains(draw)));
        assert!(draws.iter().sum::<f32>().abs() < 200.0);
    }
}
