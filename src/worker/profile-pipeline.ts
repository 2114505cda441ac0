import type { DataProfile } from '../domain/data-profile.ts'
import type { ForecastIntent } from '../domain/forecast-intent.ts'
import type { PromptReading } from '../domain/prompt-reading.ts'
import { profileData, type EngineTask } from '../engine/index.ts'
import { otherColumns } from '../services/agent/settle-intent.ts'
import type { ProfileTask } from './slot-messages.ts'

/** Runs in a quick slot: describes a file, and what the prompt, if there is one, asks to have forecast. */
export async function runProfile ({ prompt, asksModel, answer, ...task }: ProfileTask,
  engineTask: EngineTask): Promise<PromptReading> {
  const found = await profileData(task, engineTask)
  if (prompt === undefined) return { profile: found, intent: null }
  // If the intent names another target or time column, the series are profiled again with those.
  const profileFor = async (intent: ForecastIntent, profile: DataProfile): Promise<DataProfile> => {
    const columns = otherColumns(intent, profile, task.columns)
    return columns === undefined ? profile : await profileData({ ...task, columns }, engineTask)
  }
  // Prompts are read in a slot, because a long one takes a second. The reader is loaded only by slots that need it.
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
