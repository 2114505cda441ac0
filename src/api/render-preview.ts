import type { TablePreview } from '../domain/table-preview.ts'

/**
 * Rows as JSON text. Columns have the names of the file, so rows have no prototype, and `__proto__` is a column like
 * any other.
 */
export function renderPreviewText (objectId: string,
  { columns, rows, detected, truncated, delimiter, encoding, quote }: TablePreview): string {
  const sample = rows.map((row) => {
    const named = Object.create(null) as Record<string, unknown>
    for (const [at, column] of columns.entries()) named[column] = row[at] ?? null
    return named
  })
  return JSON.stringify({
    object_id: objectId,
    columns,
    sample,
    total_preview_rows: rows.length,
    detected_timestamp_column: detected.timestamp,
    detected_target_column: detected.target,
    detected_item_id_column: detected.itemId,
    ...(detected.frequency === null ? {} : { detected_frequency: detected.frequency }),
    delimiter,
    encoding,
    quote,
    truncated
  })
}
