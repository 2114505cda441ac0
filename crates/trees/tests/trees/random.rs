//! Random ensembles and rows from a seed.

use tabcast_trees::{Ensemble, Feature, Link, Tree};

/// A small generator of its own (Steele, Lea and Flood, splitmix64), so that a failing seed can be told.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

/// What random trees are like. Odd features are categorical with codes 0..70, even ones numeric in 0..1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) features: usize,
    pub(crate) trees: usize,
    pub(crate) depth: usize,
    pub(crate) outputs: usize,
    /// One value an output in each leaf.
    pub(crate) wide: bool,
    /// How often no training row reached a leaf.
    pub(crate) zero_cover: f64,
    /// Whether all nodes of a level split alike.
    pub(crate) symmetric: bool,
    /// How often a branch ends early.
    pub(crate) stop: f64,
}

impl Kind {
    pub(crate) fn plain(features: usize, trees: usize, depth: usize) -> Self {
        Self {
            features,
            trees,
            depth,
            outputs: 1,
            wide: false,
            zero_cover: 0.0,
            symmetric: false,
            stop: 0.15,
        }
    }
}

const CODES: usize = 70;

pub(crate) fn ensemble(kind: Kind, random: &mut Random) -> Ensemble {
    let features = (0..kind.features)
        .map(|f| match f % 2 {
            0 => Feature::numeric(format!("number {f}")),
            _ => Feature::categorical(
                format!("category {f}"),
                (0..CODES).map(|c| format!("level {c}")).collect(),
            ),
        })
        .collect();
    Ensemble {
        features,
        outputs: kind.outputs,
        base: (0..kind.outputs).map(|_| random.unit() - 0.5).collect(),
        trees: (0..kind.trees).map(|_| tree(kind, random)).collect(),
        link: Link::Identity,
    }
}

#[derive(Clone)]
struct Rule {
    feature: usize,
    threshold: f64,
    missing_left: bool,
    set: Vec<u64>,
}

fn rule(kind: Kind, random: &mut Random) -> Rule {
    let feature = random.below(kind.features);
    let set = if feature % 2 == 1 { vec![random.next(), random.next() & 0x3F] } else { Vec::new() };
    Rule { feature, threshold: random.unit(), missing_left: random.chance(0.5), set }
}

pub(crate) fn tree(kind: Kind, random: &mut Random) -> Tree {
    let (width, output) =
        if kind.wide { (kind.outputs as u32, 0) } else { (1, random.below(kind.outputs) as u32) };
    let mut tree = Tree { width, output, set_start: vec![0], ..Tree::default() };
    let levels: Vec<Rule> = (0..kind.depth).map(|_| rule(kind, random)).collect();
    grow(&mut tree, kind, &levels, 0, random);
    if tree.sets.is_empty() {
        tree.set_start.clear();
    }
    tree
}

/// Grows a node or leaf and returns it as a child.
fn grow(tree: &mut Tree, kind: Kind, levels: &[Rule], level: usize, random: &mut Random) -> i32 {
    if level == kind.depth || (!kind.symmetric && random.chance(kind.stop)) {
        let cover = if random.chance(kind.zero_cover) { 0.0 } else { 1.0 + random.below(50) as f64 };
        tree.leaf_cover.push(cover);
        tree.leaf_values.extend((0..tree.width).map(|_| random.unit() * 2.0 - 1.0));
        return Tree::to_leaf(tree.leaves() - 1);
    }
    let rule = if kind.symmetric { levels[level].clone() } else { rule(kind, random) };
    let node = tree.nodes();
    tree.feature.push(rule.feature as u32);
    tree.threshold.push(rule.threshold);
    tree.missing_left.push(rule.missing_left);
    tree.sets.extend(rule.set);
    tree.set_start.push(tree.sets.len() as u32);
    tree.gain.push(random.unit());
    tree.cover.push(0.0);
    tree.left.push(0);
    tree.right.push(0);
    let (left, right) =
        (grow(tree, kind, levels, level + 1, random), grow(tree, kind, levels, level + 1, random));
    (tree.left[node], tree.right[node]) = (left, right);
    tree.cover[node] = tree.cover_of(left) + tree.cover_of(right);
    node as i32
}

/// Columns of values, a tenth of them missing and some codes that no set knows.
pub(crate) fn columns(features: usize, rows: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let mut value = |f: usize| match (random.chance(0.1), f % 2) {
        (true, _) => f64::NAN,
        (_, 0) => random.unit(),
        _ => random.below(CODES + 130) as f64 - 2.0,
    };
    (0..features).map(|f| (0..rows).map(|_| value(f)).collect()).collect()
}

pub(crate) fn slices(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}
