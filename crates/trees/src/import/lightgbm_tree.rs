//! One tree of a `LightGBM` text model.

use super::assemble::{Inner, Item, assemble};
use crate::Tree;
use crate::import::lightgbm_fields::{Fields, number};

/// How a feature's splits treat zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ZeroRule {
    Missing,
    Value,
}

/// Arrays of the file, under their names in the file.
struct Source {
    split_feature: Vec<u32>,
    threshold: Vec<f64>,
    decision_type: Vec<u8>,
    left_child: Vec<i64>,
    right_child: Vec<i64>,
    split_gain: Vec<f64>,
    leaf_value: Vec<f64>,
    leaf_count: Vec<f64>,
    cat_boundaries: Vec<usize>,
    cat_threshold: Vec<u32>,
}

/// Reads a tree and notes how its splits treat zeros, by feature.
pub(super) fn read_tree(
    fields: &Fields<'_>,
    output: u32,
    zeros: &mut [Option<ZeroRule>],
) -> Result<Tree, String> {
    if fields.get("is_linear").is_some_and(|linear| linear.trim() != "0") {
        return Err("linear trees are not supported".to_owned());
    }
    let leaves: usize = number(fields, "num_leaves")?;
    if leaves == 1 {
        let value = list(fields, "leaf_value", 1)?[0];
        return Ok(Tree::constant(vec![value], output, 1.0));
    }
    let nodes = leaves.checked_sub(1).ok_or("num_leaves is 0")?;
    let sets: usize = number(fields, "num_cat")?;
    let (cat_boundaries, cat_threshold) = if sets == 0 {
        (Vec::new(), Vec::new())
    } else {
        let boundaries: Vec<usize> = list(fields, "cat_boundaries", sets.saturating_add(1))?;
        let words = boundaries[sets];
        (boundaries, list(fields, "cat_threshold", words)?)
    };
    let source = Source {
        split_feature: list(fields, "split_feature", nodes)?,
        threshold: list(fields, "threshold", nodes)?,
        decision_type: list(fields, "decision_type", nodes)?,
        left_child: list(fields, "left_child", nodes)?,
        right_child: list(fields, "right_child", nodes)?,
        split_gain: list(fields, "split_gain", nodes)?,
        leaf_value: list(fields, "leaf_value", leaves)?,
        leaf_count: list(fields, "leaf_count", leaves)?,
        cat_boundaries,
        cat_threshold,
    };
    for node in 0..nodes {
        source.note_zero(node, zeros)?;
    }
    assemble(0, nodes + leaves, output, |id| source.item(id))
}

fn list<T: std::str::FromStr>(fields: &Fields<'_>, key: &str, count: usize) -> Result<Vec<T>, String> {
    let text = fields.get(key).ok_or_else(|| format!("{key} is missing"))?;
    let parse = |word: &str| word.parse().map_err(|_| format!("{key} has {word}"));
    let numbers: Vec<T> = text.split_ascii_whitespace().map(parse).collect::<Result<_, _>>()?;
    if numbers.len() == count {
        Ok(numbers)
    } else {
        Err(format!("{} values of {key} where {count} are due", numbers.len()))
    }
}

/// Bits of `decision_type`.
const CATEGORICAL: u8 = 1;
const DEFAULT_LEFT: u8 = 2;
const MISSING_SHIFT: u8 = 2;
const MISSING_ZERO: u8 = 1;
const MISSING_NAN: u8 = 2;

impl Source {
    fn missing(&self, node: usize) -> u8 {
        self.decision_type[node] >> MISSING_SHIFT & 3
    }

    /// In this crate a feature treats zeros as missing or not; in the file each split decides.
    fn note_zero(&self, node: usize, zeros: &mut [Option<ZeroRule>]) -> Result<(), String> {
        let feature = self.split_feature[node] as usize;
        let known =
            zeros.get_mut(feature).ok_or_else(|| format!("node {node} splits on feature {feature}"))?;
        if self.decision_type[node] & CATEGORICAL != 0 {
            return Ok(());
        }
        let rule = if self.missing(node) == MISSING_ZERO { ZeroRule::Missing } else { ZeroRule::Value };
        if known.is_some_and(|known| known != rule) {
            return Err(format!("zeros of feature {feature} are missing in some splits only"));
        }
        *known = Some(rule);
        Ok(())
    }

    fn item(&self, id: i64) -> Result<Item, String> {
        if id < 0 {
            let leaf = usize::try_from(!id).unwrap_or(usize::MAX);
            let value = *self.leaf_value.get(leaf).ok_or_else(|| format!("there is no leaf {leaf}"))?;
            return Ok(Item::Leaf { value, cover: self.leaf_count[leaf] });
        }
        let node = usize::try_from(id).unwrap_or(usize::MAX);
        let feature = *self.split_feature.get(node).ok_or_else(|| format!("there is no node {node}"))?;
        let categorical = self.decision_type[node] & CATEGORICAL != 0;
        let threshold = self.threshold[node];
        let missing_left = match self.missing(node) {
            // A missing category always goes right; a missing number counts as 0 unless the split handles missing
            // values.
            _ if categorical => false,
            MISSING_ZERO | MISSING_NAN => self.decision_type[node] & DEFAULT_LEFT != 0,
            _ => 0.0 <= threshold,
        };
        Ok(Item::Inner(Inner {
            feature,
            set: if categorical { self.set(threshold)? } else { Vec::new() },
            threshold: if categorical { 0.0 } else { threshold },
            missing_left,
            gain: self.split_gain[node],
            left: self.left_child[node],
            right: self.right_child[node],
        }))
    }

    /// The set whose number stands in the place of a threshold, as words of 64 bits.
    fn set(&self, number: f64) -> Result<Vec<u64>, String> {
        let wrong = || format!("there is no category set {number}");
        let at = number as usize;
        let ends = self.cat_boundaries.get(at..at.saturating_add(2)).ok_or_else(wrong)?;
        let words =
            self.cat_threshold.get(ends[0]..ends[1]).filter(|words| !words.is_empty()).ok_or_else(wrong)?;
        let pair = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        Ok(words.chunks(2).map(pair).collect())
    }
}
