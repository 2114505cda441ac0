/**
 * Writes several values of a filter as one text: `North,South`, or as a JSON list if a value has a comma or outer
 * spaces or begins with `[`.
 */
export function filterText (values: readonly string[]): string {
  return values.every((value) => !value.includes(',') && !value.startsWith('[') && value === value.trim())
    ? values.join(',')
    : JSON.stringify(values)
}

/** Reads the values of `in`, `not_in` and `between`. */
export function filterValues (text: string): string[] {
  return readList(text) ?? text.split(',').map((part) => part.trim())
}

/** null: the text is not a JSON list of texts and numbers. */
function readList (text: string): string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const list = JSON.parse(text) as unknown
    return Array.isArray(list) && list.length > 0 &&
        list.every((one) => typeof one === 'string' || typeof one === 'number')
      ? list.map(String)
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
