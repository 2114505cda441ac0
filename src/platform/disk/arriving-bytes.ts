/** An upload whose bytes are on their way to the disk. */
export interface ArrivingBytes {
  /** So many more have come; throws when they are more than there may be. */
  come(bytes: number): void
  /** They are in the record, or gone: then `isKept` is false, and none of them counts any more. */
  release(isKept: boolean): void
}

/** Counted by several, who each may refuse it: then none counts it any more. */
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
