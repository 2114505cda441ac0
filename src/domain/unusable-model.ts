import type { ModelFile } from './files.ts'

/**
 * Why no forecast can be made with a model any more: its bytes are not there, or are not those that its training left.
 */
export type ModelLoss = 'gone' | 'damaged'

/** What is said of such a model wherever it is noticed. A second try finds the same. */
export function unusableModel ({ modelId }: Pick<ModelFile, 'modelId'>,
  loss: ModelLoss): { message: string, suggestion: string } {
  return {
    message: `The model ft:${modelId} cannot be used any more: its file is ${loss}.`,
    suggestion: `Train a new model with POST /fine-tune, and delete this one with DELETE /fine-tune/models/${modelId}.`
  }
}
