import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'

/** A time stamp with its separators, and a number with its own: as the check reckons a table before it is made. */
const stampBytes = 21
const numberBytes = 19

/**
 * About how many bytes a forecast table has as CSV, by the footer of its Parquet file. A row repeats its item id, so long
 * ids make a CSV of gigabytes from a Parquet file of kilobytes; the footer has the sum of their lengths.
 */
export async function csvSize (parquetPath: string): Promise<number> {
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(parquetPath))
  return groups.reduce((sum, { num_rows: rows, columns }) => {
    const statistics = columns.map(({ meta_data: column }) => column?.size_statistics)
    const textBytes = statistics.reduce((bytes, one) => bytes + Number(one?.unencoded_byte_array_data_bytes ?? 0), 0)
    return sum + textBytes + Number(rows) * (stampBytes + numberBytes * (columns.length - 2))
  }, 0)
}
