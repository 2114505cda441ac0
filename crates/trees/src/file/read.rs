//! Reads a model file.

use super::arrays::Number;
use super::header::{self, Header};
use super::{MAGIC, PREFIX, Sizes, VERSION};
use crate::{Ensemble, Tree, TreesError};

impl Ensemble {
    /// Reads a model file: arrays are copied whole, nothing is parsed node by node.
    ///
    /// # Errors
    /// [`TreesError::File`] with the fault: no model file, another version, truncated, damaged, too long;
    /// [`TreesError::Invalid`] as from [`Ensemble::check`]. No input makes it panic, or allocate for numbers that the
    /// input does not contain.
    pub fn read(bytes: &[u8]) -> Result<Self, TreesError> {
        let (header, mut body) = open(bytes)?;
        let (outputs, trees) = (header.outputs as usize, header.trees as usize);
        let fixed = outputs as u128 * 8 + trees as u128 * Sizes::BYTES as u128;
        if fixed > body.len() as u128 {
            return Err(TreesError::File(format!("truncated before the sizes of {trees} trees")));
        }
        let base = Number::take(&mut body, outputs);
        let sizes: Vec<Sizes> = (0..trees).map(|_| Sizes::take(&mut body)).collect();
        let expected: u128 = sizes.iter().map(Sizes::bytes).sum();
        if expected != body.len() as u128 {
            let (what, length) =
                (if expected > body.len() as u128 { "truncated" } else { "too long" }, body.len());
            return Err(TreesError::File(format!(
                "{what}: {length} bytes of arrays where {expected} are expected"
            )));
        }
        let trees = take_trees(&sizes, &mut body)?;
        let ensemble = Self { features: header.features, outputs, base, trees, link: header.link };
        ensemble.check()?;
        Ok(ensemble)
    }
}

/// Header and arrays, after the checksum has been verified.
fn open(bytes: &[u8]) -> Result<(Header, &[u8]), TreesError> {
    let refuse = |what: &str| Err(TreesError::File(what.to_owned()));
    if bytes.len() < MAGIC.len() || !bytes.starts_with(MAGIC) {
        return refuse("it does not begin as a model file");
    }
    if bytes.len() < PREFIX {
        return refuse("truncated within the first 20 bytes");
    }
    let (mut prefix, body) = bytes[MAGIC.len()..].split_at(PREFIX - MAGIC.len());
    let [version, length, sum] = std::array::from_fn(|_| u32::take(&mut prefix, 1)[0]);
    if version != VERSION {
        return Err(TreesError::File(format!("version {version}; this program knows version {VERSION}")));
    }
    if crc32fast::hash(body) != sum {
        return refuse("damaged or truncated: the checksum does not agree");
    }
    let Some((header, arrays)) = body.split_at_checked(length as usize) else {
        return refuse("truncated within the header");
    };
    match header::decode(header) {
        Ok(header) => Ok((header, arrays)),
        Err(error) => Err(TreesError::File(format!("unreadable header: {error}"))),
    }
}

impl Sizes {
    fn take(body: &mut &[u8]) -> Self {
        let [nodes, words, width, output] = std::array::from_fn(|_| u32::take(body, 1)[0]);
        Self { nodes, words, width, output }
    }
}

fn take_trees(sizes: &[Sizes], body: &mut &[u8]) -> Result<Vec<Tree>, TreesError> {
    let mut trees: Vec<Tree> = sizes
        .iter()
        .map(|sizes| Tree { width: sizes.width, output: sizes.output, ..Tree::default() })
        .collect();
    let mut each = |take: &dyn Fn(&mut Tree, &Sizes, &mut &[u8])| {
        trees.iter_mut().zip(sizes).for_each(|(tree, sizes)| take(tree, sizes, body));
    };
    let nodes = |sizes: &Sizes| sizes.nodes as usize;
    each(&|tree, sizes, body| tree.feature = Number::take(body, nodes(sizes)));
    each(&|tree, sizes, body| tree.left = Number::take(body, nodes(sizes)));
    each(&|tree, sizes, body| tree.right = Number::take(body, nodes(sizes)));
    each(&|tree, sizes, body| tree.threshold = Number::take(body, nodes(sizes)));
    each(&|tree, sizes, body| tree.cover = Number::take(body, nodes(sizes)));
    each(&|tree, sizes, body| tree.gain = Number::take(body, nodes(sizes)));
    each(&|tree, sizes, body| tree.leaf_cover = Number::take(body, nodes(sizes) + 1));
    each(&|tree, sizes, body| {
        tree.leaf_values = Number::take(body, (nodes(sizes) + 1) * sizes.width as usize);
    });
    let mut flags_fit = true;
    for (tree, sizes) in trees.iter_mut().zip(sizes) {
        let flags: Vec<u8> = Number::take(body, nodes(sizes));
        flags_fit &= flags.iter().all(|&flag| flag <= 1);
        tree.missing_left = flags.into_iter().map(|flag| flag == 1).collect();
    }
    for (tree, sizes) in trees.iter_mut().zip(sizes) {
        let starts = if sizes.words == 0 { 0 } else { nodes(sizes) + 1 };
        tree.set_start = Number::take(body, starts);
    }
    for (tree, sizes) in trees.iter_mut().zip(sizes) {
        tree.sets = Number::take(body, sizes.words as usize);
    }
    if flags_fit {
        Ok(trees)
    } else {
        Err(TreesError::File("a direction that is neither 0 nor 1".to_owned()))
    }
}
