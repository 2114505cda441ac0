//! Columns for the tests.

use tabcast_explain::{Feature, FeatureFeature, Features, Method, Values};

/// Numbers that look random but are the same everywhere.
pub(crate) fn noise(row: usize, kind: usize) -> f64 {
    ((row * row * 37 + row * (11 + kind * 5) + kind * 17) % 101) as f64 / 101.0
}

/// Uniform between -0.5 and 0.5, by a generator of Steele, Lea and Flood (2014), `SplitMix64`.
pub(crate) fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

/// Sums of random steps.
pub(crate) fn walk(count: usize, seed: u64) -> Vec<f64> {
    let mut at = 0.0;
    random(count, seed)
        .into_iter()
        .map(|step| {
            at += step;
            at
        })
        .collect()
}

pub(crate) fn levels(codes: Vec<u32>) -> Values {
    let count = codes.iter().filter(|&&code| code != u32::MAX).max().map_or(0, |&code| code + 1);
    Values::Levels { codes, names: (0..count).map(|code| format!("level {code}")).collect() }
}

/// Columns called `c0`, `c1` and so on.
pub(crate) fn features(columns: Vec<Values>) -> Features {
    let rows = columns.first().map_or(0, Values::len);
    let named = columns.into_iter().enumerate();
    Features::new(rows, named.map(|(place, values)| Feature { name: format!("c{place}"), values }).collect())
        .unwrap()
}

/// The value, count and p value of the first pair.
pub(crate) fn first(found: &FeatureFeature, method: Method) -> (f64, u32, f64) {
    let at = found.pairs.method.iter().position(|&other| other == method).unwrap();
    (found.pairs.value[at], found.pairs.n[at], found.pairs.p_value[at])
}

pub(crate) fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-11 * expected.abs(), "{found} instead of {expected}");
}
