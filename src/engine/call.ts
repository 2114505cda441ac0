import * as native from '#native'
import type { Calls, Reply } from '../domain/engine-documents.ts'
import type { EngineTask } from './engine-task.ts'
import { engineError } from './engine-error.ts'

/** Sends one document to the engine and returns its reply. Throws `EngineError`. */
export async function call<N extends keyof Calls> (name: N, request: Calls[N]['request'], task: EngineTask,
  kept?: native.KeptDataset): Promise<Calls[N]['reply']> {
  return readReply<Calls[N]['reply']>(await native.call(name, JSON.stringify(request), task, kept))
}

/** `T` is safe: the types of requests and replies are generated from the same Rust list. */
export function readReply<T> (text: string): T {
  const reply: Reply<T> = JSON.parse(text)
  if ('error' in reply) throw engineError(reply.error)
  return reply.value
}
