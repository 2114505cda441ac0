import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'

/**
 * Of an id what may stand around it, of a time stamp and of the longest number (-1.2345678901234567e-100) their
 * separators too.
 */
const quoteBytes = 2
const stampBytes = 21
const numberBytes = 25

/**
 * How many bytes a forecast table has as CSV at most, but for quotes within ids, which are written twice; by the footer
 * of its Parquet file. A row repeats its item id, so long ids make a CSV of gigabytes from a Parquet file of kilobytes;
 * the footer has the sum of their lengths.
 */
export async function csvSize (parquetPath: string): Promise<number> {
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(parquetPath))
  return groups.reduce((sum, { num_rows: rows, columns }) => {
    const statistics = columns.map(({ meta_data: column }) => column?.size_statistics)
    const textBytes = statistics.reduce((bytes, one) => bytes + Number(one?.unencoded_byte_array_data_bytes ?? 0), 0)
    return sum + textBytes + Number(rows) * (quoteBytes + stampBytes + numberBytes * (columns.length - 2))
  }, 0)
}
