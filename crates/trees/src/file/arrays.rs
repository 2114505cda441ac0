//! Reads and writes numbers as little-endian bytes.

/// A number type of the file.
pub(super) trait Number: Copy {
    /// Appends the bytes of all numbers.
    fn put(numbers: &[Self], bytes: &mut Vec<u8>);
    /// Takes `count` numbers from the front of `bytes`, which holds at least as many.
    fn take(bytes: &mut &[u8], count: usize) -> Vec<Self>;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Number for $number {
            fn put(numbers: &[Self], bytes: &mut Vec<u8>) {
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }

            fn take(bytes: &mut &[u8], count: usize) -> Vec<Self> {
                let (taken, rest) = bytes.split_at(count * size_of::<Self>());
                *bytes = rest;
                taken.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes)).collect()
            }
        }
    )*};
}

number!(u8, u32, i32, u64, f64);
