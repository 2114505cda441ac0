//! A table of bins, one byte a cell.

use rayon::prelude::*;

use super::binning::{Binning, sample_rows};
use super::{Params, TrainError, random};
use crate::{Feature, Rows};

/// Most features of a tile: the histograms of sixteen features (8 bytes a bin) fit the first cache.
const TILE: usize = 16;

/// Rows that one task bins at a time.
const CHUNK: usize = 4096;

/// Rows of bins. Features are stored in tiles, row after row within a tile, so that one cache line of a row serves several histograms.
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

/// Finds the bins of all features from the training rows.
pub(crate) fn find_bins(
    features: &[Feature],
    rows: &Rows<'_>,
    params: &Params,
) -> Result<Vec<Binning>, TrainError> {
    let sampled = sample_rows(rows.len(), params.bin_sample, random::bits(params.seed, 1));
    let find = |(at, feature): (usize, &Feature)| Binning::new(feature, rows.column(at), &sampled, params);
    features.par_iter().enumerate().map(find).collect()
}

impl Table {
    /// Bins all rows, of which there are `count`.
    pub(crate) fn new(features: &[Feature], binnings: &[Binning], rows: &Rows<'_>, count: usize) -> Self {
        let most = features.len().div_ceil(TILE);
        let start = |tile: usize| tile * features.len() / most.max(1);
        let tiles = (0..most).map(|tile| {
            let (first, width) = (start(tile), start(tile + 1) - start(tile));
            let mut bins = vec![0; count * width];
            bins.par_chunks_mut(CHUNK * width).enumerate().for_each(|(chunk, out)| {
                for place in 0..width {
                    let (feature, binning) = (&features[first + place], &binnings[first + place]);
                    let values = &rows.column(first + place)[chunk * CHUNK..];
                    for (out, &value) in out[place..].iter_mut().step_by(width).zip(values) {
                        *out = binning.bin(feature.seen(value));
                    }
                }
            });
            Tile { first, width, bins }
        });
        let tiles: Vec<Tile> = tiles.collect();
        let tile_of = tiles.iter().enumerate().flat_map(|(at, tile)| vec![at; tile.width]).collect();
        Self { rows: count, tiles, tile_of }
    }

    /// The bins of one feature as a function of the row.
    pub(crate) fn column(&self, feature: usize) -> impl Fn(u32) -> u8 + Sync + '_ {
        let tile = &self.tiles[self.tile_of[feature]];
        let place = feature - tile.first;
        move |row| tile.bins[row as usize * tile.width + place]
    }
}
