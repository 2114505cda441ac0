//! Pages that do not claim more than they hold.

use parquet::basic::Type;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::parquet_file::source::Source;

/// Checks the counts of a column chunk's pages before decoders allocate for them.
pub(crate) struct CheckedPages {
    pages: SerializedPageReader<Source>,
    /// Least bytes of one dictionary entry.
    entry_bytes: usize,
    /// Values that the footer promises and no page has given yet.
    values_left: u64,
}

impl CheckedPages {
    pub(crate) fn new(pages: SerializedPageReader<Source>, chunk: &ColumnChunkMetaData) -> CheckedPages {
        let entry_bytes = match chunk.column_type() {
            Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
            // A byte array has its length before it.
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
        };
        CheckedPages { pages, entry_bytes, values_left: chunk.num_values() as u64 }
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        let values = page.num_values();
        if let Page::DictionaryPage { buf, .. } = page {
            if values as usize > buf.len() / self.entry_bytes {
                return Err(ParquetError::General(
                    "a dictionary page claims more values than it holds".into(),
                ));
            }
            return Ok(());
        }
        self.values_left = self.values_left.checked_sub(u64::from(values)).ok_or_else(|| {
            ParquetError::General("the pages of a column have more values than its footer".into())
        })?;
        Ok(())
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}
