import { otherColumns } from '../agent/other-columns.ts'
import { profileData, type EngineTask } from '../engine/index.ts'
import type { ProfileTask, TaskResults } from './slot-messages.ts'

/** What is in a file, and what the prompt, if there is one, wants forecast of it. */
export async function runProfile ({ prompt, ...task }: ProfileTask, engineTask: EngineTask): Promise<TaskResults['profile']> {
  const profile = await profileData(task, engineTask)
  if (prompt === undefined) return { profile, intent: null }
  // Here, because a long prompt takes a second; and loaded only by those slots that read one.
  const { extractIntent } = await import('../agent/extract-intent.ts')
  const intent = extractIntent(prompt, profile)
  const columns = otherColumns(intent, profile, task.columns)
  if (columns === undefined) return { profile, intent }
  const ofTarget = await profileData({ ...task, columns }, engineTask)
  return { profile: ofTarget, intent: extractIntent(prompt, ofTarget) }
}
