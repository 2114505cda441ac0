import { totalmem } from 'node:os'

/** Memory that this process may count on: that of the machine, or less where its container or its unit has a limit. */
export function machineMemory (): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
