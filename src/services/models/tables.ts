/**
 * The tables of fine-tuned models. `models` is the record; the others are indexes that the same transaction updates.
 * | table | key | value |
 * |---|---|---|
 * | models | tenant, model id | ModelRecord |
 * | modelTrainings | tenant, job id | TrainingEntry: an open job trains a model |
 * | modelExpiry | time, model id | ModelExpiry: delete at that time |
 * | modelUses | model id, job id | ModelUse: an open job forecasts with the model |
 * | modelSweeps | time, key | ModelSweep: bytes to delete at that time, unless a job uses them |
 */
export const fineTuningTables = ['models', 'modelTrainings', 'modelExpiry', 'modelUses', 'modelSweeps'] as const

export type TrainingEntry = Record<string, never>
export interface ModelExpiry {
  tenant: string
}
/** The key of the bytes, which outlive the model's record while a job uses them. */
export interface ModelUse {
  key: string
}
export interface ModelSweep {
  modelId: string
}
