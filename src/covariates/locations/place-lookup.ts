import { Worker } from 'node:worker_threads'
import type { CovariateWhere } from '../../queue/external-covariates-spec.ts'
import { compiledProgram } from '../../program-files.ts'
import { CovariateInputError } from '../covariate-input-error.ts'
import type { PlaceAnswer, PlaceQuestion } from './place-thread.ts'

interface Waiting { resolve: (where: CovariateWhere) => void, reject: (error: Error) => void }

/** Finds cities and checks countries, in a thread that is started when the first is asked for. */
export class PlaceLookup {
  #thread: Worker | undefined
  #asked = 0
  readonly #waiting = new Map<number, Waiting>()

  /** The place of a city, and everything else as it is, once it is known to exist. Rejects with CovariateInputError; `field` is where the city was named. */
  async settle (where: CovariateWhere, field: string): Promise<CovariateWhere> {
    if (where.type !== 'city' && where.type !== 'country') return where
    const thread = this.#thread ??= this.#start()
    const id = this.#asked++
    return await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      thread.ref()
      const question: PlaceQuestion = { id, field, where }
      thread.postMessage(question)
    })
  }

  async close (): Promise<void> {
    await this.#thread?.terminate()
  }

  #start (): Worker {
    const thread = new Worker(compiledProgram('covariates/locations/place-thread'), { execArgv: [], env: {} })
    thread.on('message', (answer: PlaceAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) thread.unref()
      if ('where' in answer) waiting?.resolve(answer.where)
      else waiting?.reject('wrong' in answer ? new CovariateInputError(answer.wrong.field, answer.wrong.message) : new Error(answer.failed))
    })
    const gone = (error: Error) => {
      this.#thread = undefined
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    }
    thread.on('error', gone)
    thread.on('exit', () => gone(new Error('the lookup of places ended')))
    thread.unref()
    return thread
  }
}
