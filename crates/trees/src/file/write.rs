//! Writes a model file.

use std::io::{self, Write};

use super::arrays::Number;
use super::{MAGIC, Sizes, VERSION, header};
use crate::{Ensemble, Tree};

impl Ensemble {
    /// Writes the model file. The same ensemble gives the same bytes.
    ///
    /// # Errors
    /// `InvalidInput` if [`Ensemble::check`] finds a fault or a size exceeds 32 bits; otherwise the error of `to`.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
        self.check().map_err(|error| refuse(error.to_string()))?;
        for size in [self.outputs, self.trees.len(), self.features.len()] {
            u32::try_from(size).map_err(|_| refuse(format!("a size of {size}")))?;
        }
        let header = header::encode(self).map_err(|error| refuse(error.to_string()))?;
        let length = u32::try_from(header.len()).map_err(|_| refuse("a header of 4 GiB".to_owned()))?;
        let mut body = header;
        self.put_arrays(&mut body);
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&length.to_le_bytes())?;
        to.write_all(&crc32fast::hash(&body).to_le_bytes())?;
        to.write_all(&body)
    }

    fn put_arrays(&self, body: &mut Vec<u8>) {
        Number::put(&self.base, body);
        for tree in &self.trees {
            let sizes = Sizes::of(tree);
            Number::put(&[sizes.nodes, sizes.words, sizes.width, sizes.output], body);
        }
        let each = |put: fn(&Tree, &mut Vec<u8>), body: &mut Vec<u8>| {
            self.trees.iter().for_each(|tree| put(tree, body));
        };
        each(|tree, body| Number::put(&tree.feature, body), body);
        each(|tree, body| Number::put(&tree.left, body), body);
        each(|tree, body| Number::put(&tree.right, body), body);
        each(|tree, body| Number::put(&tree.threshold, body), body);
        each(|tree, body| Number::put(&tree.cover, body), body);
        each(|tree, body| Number::put(&tree.gain, body), body);
        each(|tree, body| Number::put(&tree.leaf_cover, body), body);
        each(|tree, body| Number::put(&tree.leaf_values, body), body);
        each(|tree, body| body.extend(tree.missing_left.iter().map(|&left| u8::from(left))), body);
        each(|tree, body| Number::put(tree.starts(), body), body);
        each(|tree, body| Number::put(&tree.sets, body), body);
    }
}

impl Tree {
    /// A tree without category sets needs no set starts.
    fn starts(&self) -> &[u32] {
        if self.sets.is_empty() { &[] } else { &self.set_start }
    }
}

impl Sizes {
    fn of(tree: &Tree) -> Self {
        let (nodes, words) = (tree.nodes() as u32, tree.sets.len() as u32);
        Self { nodes, words, width: tree.width, output: tree.output }
    }
}
