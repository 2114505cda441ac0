//! Histograms of packed gradients.

use rayon::prelude::*;

use super::table::{Table, Tile};

/// The packed sums of each bin of one feature. With this length, a byte is an index that needs no bounds check.
pub(crate) type BinSums = [i64; 256];

/// The histograms of all features over the rows of a leaf.
pub(crate) type Histogram = Vec<BinSums>;

/// With fewer rows, one task does a tile alone.
const SPLIT_ROWS: usize = 32_768;

/// Number of rows that are fetched before they are added.
const GATHER: usize = 64;

/// Adds the rows to the histograms of the tile's features.
pub(crate) fn accumulate(tile: &Tile, rows: &[u32], packed: &[i64], out: &mut [BinSums]) {
    macro_rules! of_width {
        ($($width:literal)*) => {
            match tile.width {
                $($width => add_rows::<$width>(&tile.bins, rows, packed, out),)*
                _ => {}
            }
        };
    }
    // A loop of known length over the features of a row is unrolled: about twice as fast as one of variable length.
    of_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
}

fn add_rows<const WIDTH: usize>(bins: &[u8], rows: &[u32], packed: &[i64], out: &mut [BinSums]) {
    let Some(out) = out.first_chunk_mut::<WIDTH>() else { return };
    let (bins, _) = bins.as_chunks::<WIDTH>();
    let mut cells = [[0; WIDTH]; GATHER];
    let mut values = [0; GATHER];
    for rows in rows.chunks(GATHER) {
        // The rows of a leaf are scattered, so each one is a wait for memory. A short loop that only fetches runs many
        // waits at once, which the long loop of additions would prevent.
        for ((cells, value), &row) in cells.iter_mut().zip(&mut values).zip(rows) {
            *cells = bins[row as usize];
            *value = packed[row as usize];
        }
        for (cells, value) in cells.iter().zip(&values).take(rows.len()) {
            for (out, &bin) in out.iter_mut().zip(cells) {
                out[usize::from(bin)] += value;
            }
        }
    }
}

/// Like [`accumulate`], on several tasks if there are fewer tiles than threads. Integer sums do not depend on the
/// division.
pub(crate) fn accumulate_shared(
    table: &Table,
    tile: &Tile,
    rows: &[u32],
    packed: &[i64],
    out: &mut [BinSums],
) {
    let tasks = rayon::current_num_threads().div_ceil(table.tiles.len().max(1));
    if tasks < 2 || rows.len() < SPLIT_ROWS {
        return accumulate(tile, rows, packed, out);
    }
    let parts: Vec<Histogram> = rows
        .par_chunks(rows.len().div_ceil(tasks))
        .map(|rows| {
            let mut part = vec![[0; 256]; out.len()];
            accumulate(tile, rows, packed, &mut part);
            part
        })
        .collect();
    for part in parts {
        for (out, part) in out.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
            *out += part;
        }
    }
}

/// Subtracts one child from the parent, which leaves the other child.
pub(crate) fn subtract(parent: &mut [BinSums], child: &[BinSums]) {
    for (parent, child) in parent.as_flattened_mut().iter_mut().zip(child.as_flattened()) {
        *parent -= child;
    }
}

/// Splits the histograms of all features into those of each tile.
pub(crate) fn by_tile<'a>(table: &Table, mut bins: &'a mut [BinSums]) -> Vec<&'a mut [BinSums]> {
    let cut = |tile: &Tile| {
        let (head, tail) = std::mem::take(&mut bins).split_at_mut(tile.width);
        bins = tail;
        head
    };
    table.tiles.iter().map(cut).collect()
}
