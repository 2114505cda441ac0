import { parentPort, workerData } from 'node:worker_threads'
import { bytesBelow } from './bytes-below.ts'

export interface MeasuredFolder {
  folder: string
  /** What is left out. */
  besides?: string | undefined
}

const { folder, besides } = workerData as MeasuredFolder
// A folder that cannot be read ends the thread, which its owner hears of.
parentPort?.postMessage(await bytesBelow(folder, besides))
