import * as native from '#native'

/** A handle on one call: cancel it, or read how far it is. */
export interface EngineTask {
  cancel(): void
  progress(): { stage: string, fraction: number }
}

/** The addon's own task class carries the flag that native code polls, so only tasks made here work. */
export function createTask (): EngineTask {
  return new native.TaskHandle()
}
