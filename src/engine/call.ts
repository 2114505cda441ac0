import * as native from '#native'
import type { Calls, Reply } from '../domain/engine-documents.ts'
import type { EngineTask } from './engine-task.ts'
import { engineError } from './engine-error.ts'

/** One document to the engine and one back; throws `EngineError`. */
export async function call<N extends keyof Calls> (name: N, request: Calls[N]['request'], task: EngineTask,
  kept?: native.KeptDataset): Promise<Calls[N]['reply']> {
  return readReply<Calls[N]['reply']>(await native.call(name, JSON.stringify(request), task, kept))
}

/** `T` is what the types of the call say: both are written from one list. */
export function readReply<T> (text: string): T {
  const reply: Reply<T> = JSON.parse(text)
  if ('error' in reply) throw engineError(reply.error)
  return reply.value
}
