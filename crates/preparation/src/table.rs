//! Writes the prepared table.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use tabcast_table::{Columns, TableColumn, TextColumn, write_plain_parquet};

use crate::Failure;
use crate::panel::{Panel, Values};

/// Writes the panel with its columns under their own names.
pub(crate) fn write(
    panel: Panel,
    columns: &Columns,
    path: &Path,
    cancel: &AtomicBool,
) -> Result<(), Failure> {
    let Panel { ids, offsets, times, targets, covariates } = panel;
    let mut table = Vec::with_capacity(3 + covariates.len());
    // If a level of the hierarchy has the name of the item id, the levels already name the series.
    if !covariates.iter().any(|(name, _)| *name == columns.item_id) {
        let mut codes = Vec::with_capacity(times.len());
        for (series, pair) in offsets.windows(2).enumerate() {
            codes.resize(codes.len() + pair[1] - pair[0], series as u32);
        }
        table.push((columns.item_id.clone(), TableColumn::Texts(TextColumn { codes, texts: ids })));
    }
    table.push((columns.timestamp.clone(), TableColumn::Times(times)));
    table.push((columns.target.clone(), TableColumn::Numbers(targets)));
    table.extend(covariates.into_iter().map(|(name, values)| {
        let column = match values {
            Values::Numbers(numbers) => TableColumn::Numbers(numbers),
            Values::Texts(texts) => TableColumn::Texts(texts),
        };
        (name, column)
    }));
    write_plain_parquet(path, &table, cancel)?;
    Ok(())
}
