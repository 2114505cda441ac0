import { Worker } from 'node:worker_threads'
import { compiledProgram } from '../process/program-files.ts'

export interface GuardOptions {
  /** The process ends when its parent is no longer this one. */
  parentPid?: number
  /** The process ends when this count has not changed for that many ticks. */
  beats?: Int32Array
  ticks?: number
  tickMs: number
}

/** Starts a thread that ends this process even if its main thread is busy. The thread does not delay a normal exit. */
export function startGuard (options: GuardOptions): void {
  const resourceLimits = { maxYoungGenerationSizeMb: 2 }
  new Worker(compiledProgram('platform/liveness/guard-thread'), {
    workerData: options,
    execArgv: [],
    env: {},
    resourceLimits
  }).unref()
}
