/** The fields that have a value. An optional field is missing, never `undefined`, in what is stored, sent or compared. */
export function defined<T extends object> (fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
