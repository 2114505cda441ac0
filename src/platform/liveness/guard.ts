import { Worker } from 'node:worker_threads'
import { compiledProgram } from '../process/program-files.ts'

export interface GuardOptions {
  /** The process ends when another one has become its parent. */
  parentPid?: number
  /** The process ends when this count has stood still for so many ticks. */
  beats?: Int32Array
  ticks?: number
  tickMs: number
}

/** A thread that ends this process whatever its main thread is busy with. It holds up no orderly end. */
export function startGuard (options: GuardOptions): void {
  const resourceLimits = { maxYoungGenerationSizeMb: 2 }
  new Worker(compiledProgram('platform/liveness/guard-thread'), {
    workerData: options,
    execArgv: [],
    env: {},
    resourceLimits
  }).unref()
}
