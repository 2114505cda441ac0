//! The columns that identify the series.

use parquet::errors::Result;
use parquet::file::metadata::RowGroupMetaData;

use crate::ReadOptions;
use crate::batch::{Batch, Part};
use crate::composite::Path;
use crate::faults::Fault;
use crate::interner::Interner;
use crate::parquet_file::footer::Footer;
use crate::parquet_file::roles::ItemIds;
use crate::parquet_file::source::Source;
use crate::parquet_file::texts::check_text;

/// The item id, or the columns of a hierarchy, with the item id that may stand beside them.
pub(crate) struct Ids {
    item_id: Option<ItemIds>,
    levels: Vec<ItemIds>,
}

/// The series of the rows in a stretch.
pub(crate) struct SeriesOfRows {
    /// `None` for a refused row.
    pub(crate) series: Vec<Option<u32>>,
    /// The item ids beside a hierarchy; `None` for an empty cell. Empty if there is no such column.
    pub(crate) checked: Vec<Option<u32>>,
}

/// The values of one level in a stretch, as numbers for comparing rows.
struct Level {
    values: Interner,
    rows: Vec<u32>,
}

impl Ids {
    pub(crate) fn open(source: &Source, group: &RowGroupMetaData, footer: &Footer) -> Result<Ids> {
        let open = |index: &usize| ItemIds::open(source, group, *index);
        Ok(Ids {
            item_id: footer.item_id.as_ref().map(open).transpose()?,
            levels: footer.levels.iter().map(open).collect::<Result<_>>()?,
        })
    }

    /// Decodes the next `rows` rows.
    pub(crate) fn read(
        &mut self,
        rows: usize,
        part: &mut Part,
        batch: &mut Batch,
        options: &ReadOptions,
    ) -> Result<SeriesOfRows> {
        let (columns, longest) = (&options.columns, options.limits.max_cell_chars);
        let is_hierarchy = part.composer.is_some();
        let mut items = Vec::new();
        if let Some(column) = &mut self.item_id {
            let interner = if is_hierarchy { &mut part.identities.items } else { &mut part.interner };
            items.reserve(rows);
            column.read(rows, |id| {
                let id = id.unwrap_or_default();
                let row = items.len() as u64;
                let named = (columns.item_id.as_str(), longest);
                items.push((!id.is_empty()).then(|| intern(id, row, interner, batch, named)));
                if id.is_empty() && !is_hierarchy {
                    batch.faults.note(Fault::MissingItemId, row, id);
                }
            })?;
        }
        if !is_hierarchy {
            return Ok(SeriesOfRows { series: items, checked: Vec::new() });
        }
        let levels = self.levels.iter_mut().zip(columns.levels());
        let levels = levels.map(|(column, name)| Level::read(column, rows, batch, (name.as_str(), longest)));
        let levels: Vec<Level> = levels.collect::<Result<_>>()?;
        Ok(SeriesOfRows { series: compose(&levels, rows, part, batch), checked: items })
    }
}

impl Level {
    fn read(column: &mut ItemIds, rows: usize, batch: &mut Batch, named: (&str, usize)) -> Result<Level> {
        let mut level = Level { values: Interner::new(), rows: Vec::with_capacity(rows) };
        column.read(rows, |value| {
            let row = level.rows.len() as u64;
            let value = value.unwrap_or_default();
            level.rows.push(intern(value, row, &mut level.values, batch, named));
        })?;
        Ok(level)
    }
}

/// The series of every row, from the values of its levels.
fn compose(levels: &[Level], rows: usize, part: &mut Part, batch: &mut Batch) -> Vec<Option<u32>> {
    let Part { composer: Some(composer), interner, .. } = part else { return Vec::new() };
    let mut path: Path<&[u8]> = Path::new(levels.len());
    let series = (0..rows).map(|row| {
        for (level, value) in levels.iter().zip(&mut path.values) {
            let number = level.rows[row];
            if row == 0 || level.rows[row - 1] != number {
                *value = level.values.get(number);
                path.series = None;
            }
        }
        composer.series(&mut path, interner, &mut batch.faults, row as u64)
    });
    series.collect()
}

/// The number of an id in a column of this name, with a limit on its characters. The first invalid id ends the read.
fn intern(
    id: &[u8],
    row: u64,
    interner: &mut Interner,
    batch: &mut Batch,
    (column, longest): (&str, usize),
) -> u32 {
    let known = interner.len();
    let number = interner.intern(id);
    // Among equal ids, only the first needs to be checked.
    if interner.len() > known && batch.fatal.is_none() {
        let error = check_text(column, id, longest);
        batch.fatal = error.map(|error| (error, Some(row)));
    }
    number
}
