//! Values of one column, read in stretches of rows.

use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescPtr;

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
        Ok(Column::of(Box::new(pages), chunk.column_descr_ptr()))
    }

    /// A column of these pages, which must have the descriptor's type.
    pub(crate) fn of(pages: Box<dyn PageReader>, descriptor: ColumnDescPtr) -> Column<T> {
        Column {
            optional: descriptor.max_def_level() > 0,
            reader: ColumnReaderImpl::new(descriptor, pages),
            levels: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Reads the next `rows` rows and calls `visit` with each in order; `None` is null.
    pub(crate) fn read(&mut self, rows: usize, visit: impl FnMut(Option<&T::T>)) -> Result<()> {
        self.decode(rows)?;
        self.visit(visit);
        Ok(())
    }

    /// Reads the next `rows` rows.
    pub(crate) fn decode(&mut self, rows: usize) -> Result<()> {
        self.levels.clear();
        self.values.clear();
        let levels = self.optional.then_some(&mut self.levels);
        let (read, ..) = self.reader.read_records(rows, levels, None, &mut self.values)?;
        if read != rows {
            return Err(ParquetError::General("a column ends before its row group".into()));
        }
        Ok(())
    }

    /// Calls `visit` with each row of the last read in order; `None` is null.
    pub(crate) fn visit(&self, mut visit: impl FnMut(Option<&T::T>)) {
        if !self.optional || self.values.len() == self.levels.len() {
            self.values.iter().for_each(|value| visit(Some(value)));
            return;
        }
        let mut values = self.values.iter();
        for level in &self.levels {
            visit(if *level > 0 { values.next() } else { None });
        }
    }
}
