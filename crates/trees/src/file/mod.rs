//! The model file: a magic number and version, a CBOR header, and the arrays of all trees as raw little-endian numbers.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `tabtrees` |
//! | 8..12 | version, 1 |
//! | 12..16 | length of the header |
//! | 16..20 | CRC-32 of everything from byte 20 on |
//! | 20.. | header: features, number of outputs and trees, link |
//! | then | the base (f64 per output) and the sizes of each tree: nodes, set words, width, output (u32) |
//! | then | each array of [`crate::Tree`] for all trees, one tree after the other |
//!
//! There are no offsets: the sizes determine the length of the file, which is checked before anything is allocated.

mod arrays;
mod header;
mod read;
mod write;

const MAGIC: &[u8; 8] = b"tabtrees";
const VERSION: u32 = 1;
/// Magic number, version, header length, checksum.
const PREFIX: usize = 20;

/// The sizes of a tree, which determine the lengths of its arrays.
struct Sizes {
    nodes: u32,
    /// Number of words of its category sets; without words there is no `set_start` either.
    words: u32,
    width: u32,
    output: u32,
}

impl Sizes {
    const BYTES: usize = 16;

    /// Bytes of the tree's arrays. The factors are below 2^32, so 128 bits can hold the sum.
    fn bytes(&self) -> u128 {
        let (nodes, words, width) = (u128::from(self.nodes), u128::from(self.words), u128::from(self.width));
        let starts = if words == 0 { 0 } else { 4 * (nodes + 1) };
        // feature, left, right: 4; threshold, cover, gain: 8; missing_left: 1.
        nodes * (3 * 4 + 3 * 8 + 1) + starts + words * 8 + (nodes + 1) * 8 * (1 + width)
    }
}
