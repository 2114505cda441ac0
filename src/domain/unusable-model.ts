import type { ModelFile } from './files.ts'

/** Why a model can no longer make forecasts: its file is gone, or differs from the one that its training wrote. */
export type ModelLoss = 'gone' | 'damaged'

/** The error text for such a model, wherever it is noticed. Another attempt would find the same. */
export function unusableModel ({ modelId }: Pick<ModelFile, 'modelId'>,
  loss: ModelLoss): { message: string, suggestion: string } {
  return {
    message: `The model ft:${modelId} cannot be used any more: its file is ${loss}.`,
    suggestion: `Train a new model with POST /fine-tune, and delete this one with DELETE /fine-tune/models/${modelId}.`
  }
}
