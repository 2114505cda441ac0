/**
 * The fields that have a value. In what is stored, sent or compared, an optional field is missing, never `undefined`.
 */
export function defined<T extends object> (fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
