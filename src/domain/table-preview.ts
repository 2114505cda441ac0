/** The beginning of a table, as text: what a reader of it would find. */
export interface TablePreview {
  columns: string[]
  /** As many cells a row as there are columns; null for an empty one. Numbers and booleans are what their text says. */
  rows: Array<Array<string | number | boolean | null>>
  /** The file goes on behind these rows. */
  truncated: boolean
  delimiter: string
  /** `utf-8`, `utf-8-sig`, `utf-16le`, `utf-16be` or `windows-1252`. */
  encoding: string
  /** null: no cell is quoted. */
  quote: string | null
  /** null: no column looks like it. */
  detected: { timestamp: string | null, target: string | null, itemId: string | null, frequency: string | null }
}
