//! Delta-encoded texts that claim more than their page contains.
//!
//! The crate allocates as many lengths as the stream claims, and a text may repeat all of the text before it, so a few
//! bytes become gigabytes. Counts and lengths are therefore summed up first. Layout: the Parquet format's "Encodings",
//! `DELTA_BINARY_PACKED`, `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY`.

use parquet::basic::Encoding;

/// Number of bytes that texts repeat from the texts before them; `None` if the page is damaged or has more than `most`
/// texts. Other encodings repeat nothing.
pub(crate) fn repeated_bytes(encoding: Encoding, values: &[u8], most: usize) -> Option<u64> {
    let mut stream = Stream { bytes: values };
    match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => {
            stream.head(most)?;
            Some(0)
        }
        Encoding::DELTA_BYTE_ARRAY => {
            let repeated = stream.sum(most)?;
            stream.head(most)?;
            Some(repeated)
        }
        _ => Some(0),
    }
}

/// The rest of a page's values.
struct Stream<'a> {
    bytes: &'a [u8],
}

/// The header of a stream of packed integers.
struct Head {
    miniblocks: usize,
    values_per_miniblock: usize,
    count: usize,
    first: i64,
}

impl Stream<'_> {
    fn head(&mut self, most: usize) -> Option<Head> {
        let block = usize::try_from(self.varint()?).ok()?;
        let miniblocks = usize::try_from(self.varint()?).ok().filter(|miniblocks| *miniblocks > 0)?;
        let count = usize::try_from(self.varint()?).ok().filter(|count| *count <= most)?;
        let first = self.zigzag()?;
        let values_per_miniblock = block / miniblocks;
        let fits = values_per_miniblock > 0 && values_per_miniblock.is_multiple_of(32);
        fits.then_some(Head { miniblocks, values_per_miniblock, count, first })
    }

    /// The sum of a stream's integers, which are lengths; advances to the next stream.
    fn sum(&mut self, most: usize) -> Option<u64> {
        let head = self.head(most)?;
        let mut length = i32::try_from(head.first).ok()?;
        let mut left = head.count;
        let mut sum = 0;
        if left > 0 {
            sum += u64::try_from(length).ok()?;
            left -= 1;
        }
        while left > 0 {
            let least = i32::try_from(self.zigzag()?).ok()?;
            let (widths, rest) = self.bytes.split_at_checked(head.miniblocks)?;
            self.bytes = rest;
            for &width in widths.iter().take(left.div_ceil(head.values_per_miniblock)) {
                let packed_bytes = (usize::from(width) * head.values_per_miniblock) / 8;
                let (packed, rest) = self.bytes.split_at(packed_bytes.min(self.bytes.len()));
                self.bytes = rest;
                for index in 0..left.min(head.values_per_miniblock) {
                    let delta = bits(packed, index * usize::from(width), width)?;
                    length = length.wrapping_add(least).wrapping_add(delta.cast_signed());
                    sum += u64::try_from(length).ok()?;
                }
                left = left.saturating_sub(head.values_per_miniblock);
            }
        }
        Some(sum)
    }

    fn zigzag(&mut self) -> Option<i64> {
        let zigzag = self.varint()?;
        Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            value |= u64::from(byte & 127) << shift;
            if *byte < 128 {
                return Some(value);
            }
        }
        None
    }
}

/// The integer of `width` bits, at most 32, starting at bit `at`; `None` beyond the end.
fn bits(packed: &[u8], at: usize, width: u8) -> Option<u32> {
    if width == 0 {
        return Some(0);
    }
    let from = packed.get(at / 8..)?;
    let mut word = [0; 8];
    let length = from.len().min(8);
    word[..length].copy_from_slice(&from[..length]);
    let shifted = u64::from_le_bytes(word) >> (at % 8);
    (width <= 32).then(|| (shifted & (u64::MAX >> (64 - u32::from(width)))) as u32)
}
