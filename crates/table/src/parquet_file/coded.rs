//! Dictionary-encoded text columns.
//!
//! The crate returns a counted reference to the dictionary's entry for every row. Here it gets a dictionary of the
//! numbers 0, 1, 2, ... instead of the texts, so each row gives a number, and the texts are looked up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::Int32Type;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use parquet::schema::types::{ColumnDescriptor, Type as SchemaType};

use crate::parquet_file::column::Column;
use crate::parquet_file::page_header::PageHeader;
use crate::parquet_file::pages::CheckedPages;
use crate::parquet_file::source::Source;

/// Maximum number of pages of a column chunk to check before it is read as plain texts, which is always correct.
const MOST_PAGES: usize = 10_000;

/// A text column of one row group.
pub(crate) struct CodedTexts {
    codes: Column<Int32Type>,
    dictionary: Dictionary,
}

/// The texts, once their page is read.
#[derive(Clone, Default)]
struct Dictionary(Arc<Mutex<Vec<Bytes>>>);

impl CodedTexts {
    /// `None` if a page contains plain texts.
    pub(crate) fn open(
        source: &Source,
        group: &RowGroupMetaData,
        index: usize,
    ) -> Result<Option<CodedTexts>> {
        let chunk = group.column(index);
        if chunk.column_type() != Type::BYTE_ARRAY || !is_coded(source, chunk)? {
            return Ok(None);
        }
        let texts = chunk.column_descr();
        let number = SchemaType::primitive_type_builder(texts.name(), Type::INT32).build()?;
        let numbers = ColumnDescriptor::new(
            Arc::new(number),
            texts.max_def_level(),
            texts.max_rep_level(),
            texts.path().clone(),
        );
        let rows = usize::try_from(group.num_rows())?;
        let dictionary = Dictionary::default();
        let pages =
            NumberPages { pages: CheckedPages::open(source, chunk, rows)?, dictionary: dictionary.clone() };
        Ok(Some(CodedTexts { codes: Column::of(Box::new(pages), Arc::new(numbers)), dictionary }))
    }

    /// Visits the texts of the next `rows` rows; `None` is null.
    pub(crate) fn read(&mut self, rows: usize, mut visit: impl FnMut(Option<&[u8]>)) -> Result<()> {
        self.codes.decode(rows)?;
        let texts = self.dictionary.lock();
        // An index beyond the dictionary was refused when it was decoded.
        self.codes.visit(|code| visit(code.and_then(|code| texts.get(*code as usize)).map(Bytes::as_ref)));
        Ok(())
    }
}

impl Dictionary {
    fn lock(&self) -> MutexGuard<'_, Vec<Bytes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether all data pages of a chunk are dictionary-encoded, according to their headers; only some writers say
/// so in the footer.
fn is_coded(source: &Source, chunk: &ColumnChunkMetaData) -> Result<bool> {
    if chunk.dictionary_page_offset().is_none() {
        return Ok(false);
    }
    let (mut at, bytes) = chunk.byte_range();
    let end = at.saturating_add(bytes);
    for page in 0..MOST_PAGES {
        if at >= end {
            return Ok(page > 1);
        }
        // A faulty page is reported when it is read.
        let Ok(header) = PageHeader::read(source.get_read(at)?) else { return Ok(false) };
        if header.is_dictionary() != (page == 0) || (page > 0 && !header.is_coded()) {
            return Ok(false);
        }
        at = at.saturating_add(header.length).saturating_add(header.compressed);
    }
    Ok(false)
}

/// Passes pages through, except for the dictionary.
struct NumberPages {
    pages: CheckedPages,
    dictionary: Dictionary,
}

impl PageReader for NumberPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        let Some(Page::DictionaryPage { buf, num_values, is_sorted, .. }) = page else { return Ok(page) };
        let texts = split(&buf, num_values as usize)
            .ok_or_else(|| ParquetError::General("a dictionary page claims more than it holds".into()))?;
        *self.dictionary.lock() = texts;
        let numbers: Vec<u8> = (0..num_values).flat_map(u32::to_le_bytes).collect();
        Ok(Some(Page::DictionaryPage {
            buf: numbers.into(),
            num_values,
            encoding: Encoding::PLAIN,
            is_sorted,
        }))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for NumberPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

/// Splits texts that follow their lengths; `None` if the bytes end before `count` texts.
fn split(bytes: &Bytes, count: usize) -> Option<Vec<Bytes>> {
    let mut texts = Vec::with_capacity(count);
    let mut at = 0;
    for _ in 0..count {
        let length = u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?) as usize;
        let end = (at + 4).checked_add(length).filter(|end| *end <= bytes.len())?;
        texts.push(bytes.slice(at + 4..end));
        at = end;
    }
    Some(texts)
}
