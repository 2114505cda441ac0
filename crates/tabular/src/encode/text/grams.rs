//! Hashes the words and character n-grams of a text.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Number of hash values.
pub(crate) const BUCKETS: usize = 1 << 15;

/// Number of characters examined per text; the rest costs time and memory and seldom adds information.
const MOST_CHARS: usize = 1_000;

/// Adds the buckets of every word, and of every run of 3 to 5 characters of a word with the blanks around it, to
/// `buckets`. Case, and everything that is neither letter nor digit, is ignored.
pub(crate) fn hash_text(text: &str, buckets: &mut Vec<u32>) {
    let mut word = vec![' '];
    for char in text.chars().take(MOST_CHARS).chain([' ']) {
        if char.is_alphanumeric() {
            word.extend(char.to_lowercase());
        } else if word.len() > 1 {
            buckets.push(bucket(&word[1..], 0));
            word.push(' ');
            for length in 3..=5 {
                buckets.extend(word.windows(length).map(|gram| bucket(gram, length)));
            }
            word.truncate(1);
        }
    }
}

fn bucket(chars: &[char], kind: usize) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(kind);
    for &char in chars {
        hasher.write_u32(char.into());
    }
    // The upper bits of this hash are better distributed.
    (hasher.finish() >> 49) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(text: &str) -> Vec<u32> {
        let mut buckets = Vec::new();
        hash_text(text, &mut buckets);
        buckets.sort_unstable();
        buckets
    }

    #[test]
    fn case_and_punctuation_do_not_matter_but_words_do() {
        assert_eq!(hashed("Größe, klein!"), hashed("  größe-KLEIN"));
        assert_ne!(hashed("ab cd"), hashed("abcd"));
        // The word itself, three runs of 3, two of 4, one of 5.
        assert_eq!(hashed("abc").len(), 7);
        assert!(hashed(" ,; ").is_empty());
        assert!(hashed(&"word ".repeat(10_000)).len() < 10_000);
        assert!(hashed("any text at all").iter().all(|&bucket| (bucket as usize) < BUCKETS));
    }
}
