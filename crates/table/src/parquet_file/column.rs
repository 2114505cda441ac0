//! Values of one column, a stretch of rows at a time.

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;

use crate::parquet_file::pages::CheckedPages;
use crate::parquet_file::source::Source;

/// A flat column of one row group.
pub(crate) struct Column<T: DataType> {
    reader: ColumnReaderImpl<T>,
    optional: bool,
    levels: Vec<i16>,
    values: Vec<T::T>,
}

impl<T: DataType> Column<T> {
    pub(crate) fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Result<Column<T>> {
        let chunk = group.column(index);
        let rows = usize::try_from(group.num_rows())?;
        let pages = CheckedPages::open(source, chunk, rows)?;
        Ok(Column {
            reader: ColumnReaderImpl::new(chunk.column_descr_ptr(), Box::new(pages)),
            optional: chunk.column_descr().max_def_level() > 0,
            levels: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Reads the next `rows` rows and calls `visit` with each of them, in order; `None` is null.
    pub(crate) fn read(&mut self, rows: usize, mut visit: impl FnMut(Option<&T::T>)) -> Result<()> {
        self.levels.clear();
        self.values.clear();
        let levels = self.optional.then_some(&mut self.levels);
        let (read, ..) = self.reader.read_records(rows, levels, None, &mut self.values)?;
        if read != rows {
            return Err(ParquetError::General("a column ends before its row group".into()));
        }
        if !self.optional || self.values.len() == rows {
            self.values.iter().for_each(|value| visit(Some(value)));
            return Ok(());
        }
        let mut values = self.values.iter();
        for level in &self.levels {
            visit(if *level > 0 { values.next() } else { None });
        }
        Ok(())
    }
}
