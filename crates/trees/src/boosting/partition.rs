//! Partitions the rows of a leaf between its children, in place.

use rayon::prelude::*;

use crate::boosting::candidate::{BinSet, has};

/// Number of rows that one task partitions at a time.
const CHUNK: usize = 32_768;

/// Moves the rows whose bin is in `left` to the front; both sides keep their order. Returns the number of rows that
/// went left. `scratch` has the length of `rows`.
pub(crate) fn partition(
    rows: &mut [u32],
    scratch: &mut [u32],
    left: &BinSet,
    bin: &(impl Fn(u32) -> u8 + Sync),
) -> usize {
    let goes_left: [bool; 256] = std::array::from_fn(|bin| has(left, bin as u8));
    let part = |(rows, scratch): (&mut [u32], &mut [u32])| part_chunk(rows, scratch, &goes_left, bin);
    if rows.len() <= CHUNK {
        let count = part((rows, scratch));
        let right = rows.len() - count;
        rows[count..].copy_from_slice(&scratch[..right]);
        return count;
    }
    let counts: Vec<usize> =
        rows.par_chunks_mut(CHUNK).zip(scratch.par_chunks_mut(CHUNK)).map(part).collect();
    let mut end = 0;
    for (chunk, &count) in counts.iter().enumerate() {
        rows.copy_within(chunk * CHUNK..chunk * CHUNK + count, end);
        end += count;
    }
    let lefts = end;
    for (chunk, &count) in counts.iter().enumerate() {
        let rights = scratch.len().min((chunk + 1) * CHUNK) - chunk * CHUNK - count;
        rows[end..end + rights].copy_from_slice(&scratch[chunk * CHUNK..][..rights]);
        end += rights;
    }
    lefts
}

/// Puts the rows that go left at the front of `rows`, the others at the front of `scratch`. Each row is written to both
/// sides and one side advances, because an unpredictable branch would cost more.
fn part_chunk(
    rows: &mut [u32],
    scratch: &mut [u32],
    goes_left: &[bool; 256],
    bin: &impl Fn(u32) -> u8,
) -> usize {
    let mut lefts = 0;
    for at in 0..rows.len() {
        let row = rows[at];
        let left = goes_left[usize::from(bin(row))];
        rows[lefts] = row;
        scratch[at - lefts] = row;
        lefts += usize::from(left);
    }
    lefts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boosting::candidate::first_bins;

    #[test]
    fn both_sides_keep_their_order_whatever_the_number_of_chunks() {
        for count in [0, 1, 1000, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
            let mut rows: Vec<u32> = (0..count as u32).collect();
            let mut scratch = vec![0; count];
            let bin = |row: u32| (row.wrapping_mul(2_654_435_761) >> 24) as u8;
            let left = partition(&mut rows, &mut scratch, &first_bins(100), &bin);
            assert!(rows[..left].iter().all(|&row| bin(row) < 100));
            assert!(rows[left..].iter().all(|&row| bin(row) >= 100));
            assert!(rows[..left].is_sorted() && rows[left..].is_sorted());
            assert!(left + rows[left..].len() == count);
        }
    }
}
