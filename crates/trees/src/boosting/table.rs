//! A table of bins, one byte per cell.

use rayon::prelude::*;

use super::binning::Binning;
use crate::{Feature, Rows};

/// Maximum number of features in a tile: the histograms of sixteen features (8 bytes per bin) fit into the first-level
/// cache.
const TILE: usize = 16;

/// Number of rows that one task bins at a time.
const CHUNK: usize = 2048;

/// Rows of bins. Features are stored in tiles, row by row within a tile, so that one cache line of a row serves several
/// histograms.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) tiles: Vec<Tile>,
    /// The tile of each feature.
    tile_of: Vec<usize>,
}

/// The bins of a few consecutive features.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    /// The first of the features.
    pub(crate) first: usize,
    /// Number of features, at most 16.
    pub(crate) width: usize,
    /// `bins[row * width + feature - first]`.
    pub(crate) bins: Vec<u8>,
}

impl Table {
    /// `rows` rows of missing values.
    pub(crate) fn new(binnings: &[Binning], rows: usize) -> Self {
        let most = binnings.len().div_ceil(TILE);
        let start = |tile: usize| tile * binnings.len() / most.max(1);
        let tiles = (0..most).map(|tile| {
            let (first, width) = (start(tile), start(tile + 1) - start(tile));
            let missing: Vec<u8> =
                binnings[first..][..width].iter().map(|binning| binning.values as u8).collect();
            Tile { first, width, bins: missing.repeat(rows) }
        });
        let tiles: Vec<Tile> = tiles.collect();
        let tile_of = tiles.iter().enumerate().flat_map(|(at, tile)| vec![at; tile.width]).collect();
        Self { rows, tiles, tile_of }
    }

    /// Bins `chunk` into the rows from `start` on, which must exist.
    pub(crate) fn write(
        &mut self,
        features: &[Feature],
        binnings: &[Binning],
        start: usize,
        chunk: &Rows<'_>,
    ) {
        for Tile { first, width, bins } in &mut self.tiles {
            let (first, width) = (*first, *width);
            let bins = &mut bins[start * width..][..chunk.len() * width];
            bins.par_chunks_mut(CHUNK * width).enumerate().for_each(|(part, out)| {
                for place in 0..width {
                    let (feature, binning) = (&features[first + place], &binnings[first + place]);
                    let values = &chunk.column(first + place)[part * CHUNK..];
                    for (out, &value) in out[place..].iter_mut().step_by(width).zip(values) {
                        *out = binning.bin(feature.seen(value));
                    }
                }
            });
        }
    }

    /// The bins of one feature as a function of the row.
    pub(crate) fn column(&self, feature: usize) -> impl Fn(u32) -> u8 + Sync + '_ {
        let tile = &self.tiles[self.tile_of[feature]];
        let place = feature - tile.first;
        move |row| tile.bins[row as usize * tile.width + place]
    }
}
