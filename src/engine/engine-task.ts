import * as native from '#native'

/**
 * A handle on one call: cancels it, or reads its progress. The addon's own class carries the flag that native code
 * polls.
 */
export type EngineTask = native.TaskHandle

export function createTask (): EngineTask {
  return new native.TaskHandle()
}
