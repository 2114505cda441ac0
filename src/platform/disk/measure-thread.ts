import { lstatSync, opendirSync, type Dir } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { hasCode } from '../store/local-errors.ts'

/*
 * Adds up what the files below a folder take on disk, as `bytesBelow` does. This thread has nobody to wait for it, so
 * it makes its calls itself: a fifth of the work of asking the pool that uploads need for each.
 */
export interface MeasuredFolder {
  folder: string
  /** What is left out. */
  besides?: string | undefined
}

const { folder, besides } = workerData as MeasuredFolder
/** Entries that are read at a time. */
const bufferSize = 512

function bytesIn (path: string): number {
  const open = opened(path)
  if (open === undefined) return 0
  let bytes = 0
  try {
    for (let child = open.readSync(); child !== null; child = open.readSync()) {
      const at = join(path, child.name)
      if (at === besides) continue
      if (child.isDirectory()) bytes += bytesIn(at)
      else if (child.isFile()) bytes += (lstatSync(at, { throwIfNoEntry: false })?.blocks ?? 0) * 512
    }
  } finally {
    open.closeSync()
  }
  return bytes
}

/** undefined: it is gone. */
function opened (path: string): Dir | undefined {
  try {
    return opendirSync(path, { bufferSize })
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

// A folder that cannot be read ends the thread, which its owner hears of.
parentPort?.postMessage(bytesIn(folder))
