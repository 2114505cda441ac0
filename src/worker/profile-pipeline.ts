import type { DataProfile } from '../domain/data-profile.ts'
import type { ForecastIntent } from '../domain/forecast-intent.ts'
import type { PromptReading } from '../domain/prompt-reading.ts'
import { profileData, type EngineTask } from '../engine/index.ts'
import { otherColumns } from '../services/agent/settle-intent.ts'
import type { ProfileTask } from './slot-messages.ts'

/** What is in a file, and what the prompt, if there is one, wants forecast of it. */
export async function runProfile ({ prompt, asksModel, answer, ...task }: ProfileTask,
  engineTask: EngineTask): Promise<PromptReading> {
  const found = await profileData(task, engineTask)
  if (prompt === undefined) return { profile: found, intent: null }
  // What the series are like is another matter where the intent is about another target or time.
  const profileFor = async (intent: ForecastIntent, profile: DataProfile): Promise<DataProfile> => {
    const columns = otherColumns(intent, profile, task.columns)
    return columns === undefined ? profile : await profileData({ ...task, columns }, engineTask)
  }
  // Here, because a long prompt takes a second; and loaded only by those slots that read one.
  const { extractIntent } = await import('../services/agent/extract-intent.ts')
  const profile = await profileFor(extractIntent(prompt, found), found)
  const intent = extractIntent(prompt, profile)
  if (answer === undefined && asksModel !== true) return { profile, intent }
  const { fillIntent, modelQuestion } = await import('../services/agent/read-with-model.ts')
  if (answer === undefined) return { profile, intent, question: modelQuestion(prompt, profile) }
  const filled = fillIntent(prompt, profile, answer)
  return filled === undefined
    ? { profile, intent, isByModel: false }
    : { profile: await profileFor(filled, profile), intent: filled, isByModel: true }
}
