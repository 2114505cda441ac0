//! Maps item ids to small numbers.

use std::hash::{BuildHasher, RandomState};

/// Numbers distinct ids in the order of their first appearance.
///
/// It is a special hash table because the reader looks up an id for every row: the last id is compared before anything
/// is hashed, the hash takes eight bytes at a time, and ids lie in one allocation. The hash is seeded, so that no file
/// can be crafted to collide; the numbers do not depend on the seed.
#[derive(Debug)]
pub(crate) struct Interner {
    text: Vec<u8>,
    ends: Vec<usize>,
    /// Upper half: upper half of the hash; lower half: number + 1, or 0 for a free slot. The length is a power of two.
    slots: Vec<u64>,
    seed: u64,
    last: u32,
}

impl Interner {
    pub(crate) fn new() -> Interner {
        let seed = RandomState::new().hash_one(0_u8);
        Interner { text: Vec::new(), ends: Vec::new(), slots: vec![0; 1024], seed, last: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    /// The id that was looked up last, with its number.
    #[inline]
    pub(crate) fn last(&self) -> Option<(&[u8], u32)> {
        (!self.ends.is_empty()).then(|| (self.get(self.last), self.last))
    }

    /// The number of an id.
    #[inline]
    pub(crate) fn intern(&mut self, id: &[u8]) -> u32 {
        if let Some((last, number)) = self.last()
            && last == id
        {
            return number;
        }
        self.last = self.find_or_add(id);
        self.last
    }

    /// The number of an id, if it has one.
    #[inline]
    pub(crate) fn find(&self, id: &[u8]) -> Option<u32> {
        self.probe(id, hash(id, self.seed)).ok()
    }

    /// The number of an id, or the free slot where it belongs.
    #[inline]
    fn probe(&self, id: &[u8], hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return Err(slot);
            }
            let number = entry as u32 - 1;
            if entry >> 32 == hash >> 32 && self.get(number) == id {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn find_or_add(&mut self, id: &[u8]) -> u32 {
        let hash = hash(id, self.seed);
        let slot = match self.probe(id, hash) {
            Ok(number) => return number,
            Err(slot) => slot,
        };
        let number = self.ends.len() as u32;
        self.text.extend_from_slice(id);
        self.ends.push(self.text.len());
        self.slots[slot] = hash >> 32 << 32 | u64::from(number + 1);
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        let mut slots = vec![0; mask + 1];
        for number in 0..self.ends.len() as u32 {
            let hash = hash(self.get(number), self.seed);
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = hash >> 32 << 32 | u64::from(number + 1);
        }
        self.slots = slots;
    }
}

/// Folded multiplication, as in wyhash: the two halves of a 128-bit product, xored.
pub(crate) fn hash(bytes: &[u8], seed: u64) -> u64 {
    let fold = |left: u64, right: u64| {
        let product = u128::from(left) * u128::from(right);
        product as u64 ^ (product >> 64) as u64
    };
    let mut state = seed ^ bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        state = fold(state ^ u64::from_le_bytes(*word), 0x9e37_79b9_7f4a_7c15);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(fold(state ^ u64::from_le_bytes(last), 0xd6e8_feb8_6659_fd93), seed | 1)
}
