//! Parquet files of any type, and footers that lie.

use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// Values of one optional or required column; the levels tell which rows are not null.
pub(crate) enum Values {
    Text(Vec<Vec<u8>>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Boolean(Vec<bool>),
    Int96(Vec<(u64, u32)>),
    Fixed(Vec<Vec<u8>>),
}

pub(crate) fn text(values: &[&str]) -> Values {
    Values::Text(values.iter().map(|value| value.as_bytes().to_vec()).collect())
}

/// A file with one row group for each entry of `groups`; the columns come in the order of the schema.
pub(crate) fn file(
    schema: &str,
    groups: Vec<Vec<(Values, Option<Vec<i16>>)>>,
    properties: WriterProperties,
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for columns in groups {
        let mut group = writer.next_row_group().unwrap();
        for (values, levels) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            let levels = levels.as_deref();
            let repetition = matches!(column.untyped(), ColumnWriter::ByteArrayColumnWriter(writer) if writer.get_descriptor().max_rep_level() > 0);
            let repetition = repetition.then_some(&[0, 0][..]);
            match (column.untyped(), values) {
                (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(values)) => {
                    let values: Vec<ByteArray> = values.into_iter().map(ByteArray::from).collect();
                    writer.write_batch(&values, levels, repetition)
                }
                (ColumnWriter::FixedLenByteArrayColumnWriter(writer), Values::Fixed(values)) => {
                    let values: Vec<FixedLenByteArray> = values
                        .into_iter()
                        .map(|value| FixedLenByteArray::from(ByteArray::from(value)))
                        .collect();
                    writer.write_batch(&values, levels, repetition)
                }
                (ColumnWriter::Int32ColumnWriter(writer), Values::Int32(values)) => {
                    writer.write_batch(&values, levels, None)
                }
                (ColumnWriter::Int64ColumnWriter(writer), Values::Int64(values)) => {
                    writer.write_batch(&values, levels, None)
                }
                (ColumnWriter::FloatColumnWriter(writer), Values::Float(values)) => {
                    writer.write_batch(&values, levels, None)
                }
                (ColumnWriter::DoubleColumnWriter(writer), Values::Double(values)) => {
                    writer.write_batch(&values, levels, None)
                }
                (ColumnWriter::BoolColumnWriter(writer), Values::Boolean(values)) => {
                    writer.write_batch(&values, levels, None)
                }
                (ColumnWriter::Int96ColumnWriter(writer), Values::Int96(values)) => {
                    let values: Vec<Int96> = values
                        .into_iter()
                        .map(|(nanos, day)| {
                            let mut value = Int96::new();
                            value.set_data(nanos as u32, (nanos >> 32) as u32, day);
                            value
                        })
                        .collect();
                    writer.write_batch(&values, levels, None)
                }
                _ => panic!("the values do not fit the schema"),
            }
            .unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// Two items with two daily rows each, with the given types of the three columns.
pub(crate) fn table(types: [&str; 3], columns: [Values; 3]) -> Vec<u8> {
    let [item_id, timestamp, target] = types;
    let schema = format!("message m {{ required {item_id}; required {timestamp}; required {target}; }}");
    let columns = columns.into_iter().map(|values| (values, None)).collect();
    file(&schema, vec![columns], WriterProperties::builder().build())
}

/// The file with another footer: `change` may rewrite each row group and each of its columns.
pub(crate) fn with_footer(
    bytes: &[u8],
    group: impl Fn(RowGroupMetaData) -> RowGroupMetaData,
    column: impl Fn(ColumnChunkMetaData) -> ColumnChunkMetaData,
) -> Vec<u8> {
    let owned = bytes::Bytes::copy_from_slice(bytes);
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&owned).unwrap();
    let mut builder = metadata.into_builder();
    let groups = builder
        .take_row_groups()
        .into_iter()
        .map(|row_group| {
            let columns = row_group.columns().iter().cloned().map(&column).collect();
            group(row_group.into_builder().set_column_metadata(columns).build().unwrap())
        })
        .collect();
    let metadata = builder.set_row_groups(groups).build();
    let length = bytes.len() - 8;
    let footer = u32::from_le_bytes(bytes[length..length + 4].try_into().unwrap()) as usize;
    let mut out = bytes[..length - footer].to_vec();
    ParquetMetaDataWriter::new(&mut out, &metadata).finish().unwrap();
    out
}
