import { Worker } from 'node:worker_threads'
import { compiledProgram } from '../process/program-files.ts'
import type { MeasuredFolder } from './measure-thread.ts'

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

/**
 * Runs `bytesBelow` in a thread, until the signal aborts. With a million files it would take the calling thread half a
 * minute.
 */
export async function measureFolder (measured: MeasuredFolder, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const thread = new Worker(compiledProgram('platform/disk/measure-thread'), {
      workerData: measured,
      execArgv: [],
      env: {},
      resourceLimits
    })
    const end = (): void => {
      void thread.terminate()
    }
    signal.addEventListener('abort', end)
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => {
      signal.removeEventListener('abort', end)
      reject(new Error(`${measured.folder} was not measured: the thread ended`))
    })
  })
}
