import type { ModelFile } from '../domain/files.ts'
import { unusableModel } from '../domain/unusable-model.ts'
import { hashFile } from '../platform/store/hash-file.ts'

/** A fine-tuned model, with its file at `path`. */
export interface FetchedModel extends ModelFile {
  path: string
}

export class UnusableModel extends Error {
  override name = 'UnusableModel'
  readonly suggestion: string

  constructor (model: ModelFile) {
    const { message, suggestion } = unusableModel(model, 'damaged')
    super(message)
    this.suggestion = suggestion
  }
}

/**
 * Runs in a slot process. Rejects with UnusableModel if the file differs from the one that the training wrote. The
 * engine could only guess what is wrong with a damaged file.
 */
export async function checkModel (model: FetchedModel): Promise<void> {
  if ((await hashFile(model.path)).sha256 !== model.sha256) throw new UnusableModel(model)
}
