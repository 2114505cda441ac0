//! Random numbers that only depend on a seed and a counter, so threads and the order of work cannot change them.

/// 64 well mixed bits for index `index` of stream `seed`: the output function of `SplitMix64` (Steele, Lea and Flood,
/// 2014).
#[inline]
pub fn bits(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in `[0, 1)`.
#[inline]
pub fn unit(seed: u64, index: u64) -> f64 {
    (bits(seed, index) >> 11) as f64 / (1u64 << 53) as f64
}

/// `count` of the numbers `0..of` in ascending order, each subset equally likely.
pub fn choose(seed: u64, count: usize, of: usize) -> Vec<usize> {
    let mut drawn: Vec<(u64, usize)> = (0..of).map(|at| (bits(seed, at as u64), at)).collect();
    drawn.sort_unstable();
    drawn.truncate(count);
    let mut chosen: Vec<usize> = drawn.into_iter().map(|(_, at)| at).collect();
    chosen.sort_unstable();
    chosen
}

/// The numbers `0..of` in random order; all orders are equally likely.
pub fn shuffled(seed: u64, of: usize) -> Vec<u32> {
    let mut drawn: Vec<(u64, u32)> = (0..of as u32).map(|at| (bits(seed, u64::from(at)), at)).collect();
    drawn.sort_unstable();
    drawn.into_iter().map(|(_, at)| at).collect()
}

/// A number of the standard normal distribution (Box and Muller, 1958).
pub fn normal(seed: u64, index: u64) -> f64 {
    let radius = (-2.0 * (1.0 - unit(seed, 2 * index)).ln()).sqrt();
    radius * (2.0 * std::f64::consts::PI * unit(seed, 2 * index + 1)).cos()
}
