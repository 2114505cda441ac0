//! Refuses pages that claim more than they contain.

use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use crate::parquet_file::delta::repeated_bytes;
use crate::parquet_file::page_header::PageHeader;
use crate::parquet_file::source::{Source, SourceReader};

/// The bytes of one column chunk on their way to the crate's page reader, which requests a header and then its page.
struct PageBytes {
    source: Source,
    compression: Compression,
    /// The header that was requested last.
    header: Mutex<PageHeader>,
}

impl Length for PageBytes {
    fn len(&self) -> u64 {
        self.source.len()
    }
}

impl ChunkReader for PageBytes {
    type T = BufReader<SourceReader>;

    /// Checks the header that starts here before the crate allocates what it claims.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let header = PageHeader::read(self.source.get_read(start)?)?;
        self.source.inflation().take_page(header.inflated, header.compressed, header.is_dictionary())?;
        *self.header.lock().unwrap_or_else(PoisonError::into_inner) = header;
        self.source.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.source.get_bytes(start, length)?;
        let header = self.header.lock().unwrap_or_else(PoisonError::into_inner);
        if header.is_compressed && inflates_beyond(self.compression, &bytes, &header) {
            return Err(ParquetError::General("a page inflates to more than its header says".into()));
        }
        Ok(bytes)
    }
}

/// Whether a page inflates to more than it claims. The crate stops the other codecs at the size in the header, but not
/// these two, so their output is counted first.
fn inflates_beyond(compression: Compression, page: &[u8], header: &PageHeader) -> bool {
    let Some(body) = page.get(header.levels as usize..) else { return false };
    let claimed = header.inflated.saturating_sub(header.levels);
    let inflates_to = |inflate: &mut dyn Read| {
        // The crate refuses a stream that cannot be inflated.
        io::copy(&mut inflate.take(claimed + 1), &mut io::sink()).unwrap_or(0)
    };
    match compression {
        Compression::GZIP(_) => inflates_to(&mut flate2::read::MultiGzDecoder::new(body)) > claimed,
        Compression::BROTLI(_) => inflates_to(&mut brotli::Decompressor::new(body, 64 * 1024)) > claimed,
        _ => false,
    }
}

/// Checks the sizes and counts of a column chunk's pages before anything is allocated for them.
pub(crate) struct CheckedPages {
    pages: SerializedPageReader<PageBytes>,
    source: Source,
    /// Minimum size of a dictionary entry in bytes.
    entry_bytes: usize,
    /// Whether values may be null, so that a page starts with its definition levels.
    optional: bool,
    /// Number of values that the footer promises and no page has delivered yet.
    values_left: u64,
}

impl CheckedPages {
    pub(crate) fn open(source: &Source, chunk: &ColumnChunkMetaData, rows: usize) -> Result<CheckedPages> {
        let entry_bytes = match chunk.column_type() {
            Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
            // A byte array follows its length.
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
        };
        let bytes = PageBytes {
            source: source.clone(),
            compression: chunk.compression(),
            header: Mutex::new(PageHeader::default()),
        };
        // Disables the fallback to LZ4 frames, which only very old writers used and which would inflate without a
        // limit.
        let properties = ReaderProperties::builder().set_backward_compatible_lz4(false).build();
        let pages = SerializedPageReader::new_with_properties(
            Arc::new(bytes),
            chunk,
            rows,
            None,
            Arc::new(properties),
        )?;
        Ok(CheckedPages {
            pages,
            source: source.clone(),
            entry_bytes,
            optional: chunk.column_descr().max_def_level() > 0,
            values_left: chunk.num_values() as u64,
        })
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        let values = page.num_values();
        if let Page::DictionaryPage { buf, .. } = page {
            if values as usize > buf.len() / self.entry_bytes {
                return Err(general("a dictionary page claims more values than it holds"));
            }
            return Ok(());
        }
        self.values_left = self
            .values_left
            .checked_sub(u64::from(values))
            .ok_or_else(|| general("the pages of a column have more values than its footer"))?;
        let encoding = page.encoding();
        if matches!(encoding, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) {
            let damaged = || general("a page of texts claims more than it holds");
            let encoded = self.encoded_values(page).ok_or_else(damaged)?;
            let repeated = repeated_bytes(encoding, encoded, values as usize).ok_or_else(damaged)?;
            self.source.inflation().take_page(repeated, page.buffer().len() as u64, false)?;
        }
        Ok(())
    }

    /// The bytes of a data page after its levels; `None` if the levels claim more than the page.
    fn encoded_values<'a>(&self, page: &'a Page) -> Option<&'a [u8]> {
        let bytes = page.buffer();
        let levels = match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                (*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize)?
            }
            Page::DataPage { def_level_encoding: Encoding::RLE, .. } if self.optional => {
                let length = bytes.first_chunk::<4>()?;
                4 + u32::from_le_bytes(*length) as usize
            }
            Page::DataPage { num_values, .. } if self.optional => (*num_values as usize).div_ceil(8),
            _ => 0,
        };
        bytes.get(levels..)
    }
}

fn general(message: &str) -> ParquetError {
    ParquetError::General(message.into())
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    // Only nested columns and skipped rows need these two functions, and we have neither; a peeked page would be
    // counted twice.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(general("pages are read one after the other"))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(general("pages are read one after the other"))
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}
