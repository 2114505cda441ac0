/** An upload whose bytes are being written to disk. */
export interface ArrivingBytes {
  /** Counts more bytes; throws if the limit is exceeded. */
  come(bytes: number): void
  /** Call it when the bytes are recorded (`isKept`) or gone; bytes that are gone no longer count. */
  release(isKept: boolean): void
}

/** Counts an upload with several counters. If one of them refuses it at the start, none counts it. */
export function countedByAll (counters: Array<() => ArrivingBytes>): ArrivingBytes {
  const counted: ArrivingBytes[] = []
  const release = (isKept: boolean): void => {
    for (const one of counted.splice(0)) one.release(isKept)
  }
  try {
    for (const count of counters) counted.push(count())
  } catch (error) {
    release(false)
    throw error
  }
  return {
    come: (bytes) => {
      for (const one of counted) one.come(bytes)
    },
    release
  }
}
