import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'

/**
 * The most bytes that a row needs: the quotes around its id, a time stamp with its separator, and for each number the
 * longest one (-1.2345678901234567e-100) with its separator.
 */
const quoteBytes = 2
const stampBytes = 21
const numberBytes = 25

/**
 * An upper bound for the size of a forecast table as CSV, read from the footer of its Parquet file; only quotes inside
 * ids, which CSV doubles, are not counted. Each row repeats its item id, so long ids turn kilobytes of Parquet into
 * gigabytes of CSV. The footer has the sum of their lengths.
 */
export async function csvSize (parquetPath: string): Promise<number> {
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(parquetPath))
  return groups.reduce((sum, { num_rows: rows, columns }) => {
    const statistics = columns.map(({ meta_data: column }) => column?.size_statistics)
    const textBytes = statistics.reduce((bytes, one) => bytes + Number(one?.unencoded_byte_array_data_bytes ?? 0), 0)
    return sum + textBytes + Number(rows) * (quoteBytes + stampBytes + numberBytes * (columns.length - 2))
  }, 0)
}
