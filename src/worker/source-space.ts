import type { NoSpace, ScratchSpace } from '../platform/disk/scratch-space.ts'
import { ConnectorError } from '../sources/connectors/connector-error.ts'

/** There is no disk space for a source now. `isTaken`: others hold the space and will free it. */
export class NoSourceSpace extends Error {
  override name = 'NoSourceSpace'
  readonly isTaken: boolean

  constructor (isTaken: boolean) {
    super(
      isTaken ? 'Other sources have the room that there is.' : 'The disk of the service has no room for the source now.'
    )
    this.isTaken = isTaken
  }
}

/** The disk space in scratch that is reserved for one source. */
export class SourceSpace {
  readonly #scratch: Pick<ScratchSpace, 'take'>
  readonly #tenant: string
  #release: () => void = () => undefined
  #isOver = false

  constructor (scratch: Pick<ScratchSpace, 'take'>, tenant: string) {
    this.#scratch = scratch
    this.#tenant = tenant
  }

  /**
   * Reserves space for an attempt, in place of the previous reservation. Rejects with NoSourceSpace, or with a
   * ConnectorError if there can never be enough.
   */
  async reserve (bytes: number): Promise<void> {
    const none = await this.take(bytes)
    if (none === 'never') throw new ConnectorError('DATASET_TOO_LARGE')
    if (none !== undefined) throw new NoSourceSpace(none === 'now')
  }

  /** Like `reserve`, but returns the reason why there is no space, to be sent to another process. */
  async take (bytes: number): Promise<NoSpace | undefined> {
    this.release()
    const room = await this.#scratch.take(this.#tenant, bytes)
    if (typeof room === 'string') return room
    this.#release = room
    // The reader was cancelled while this waited, so nobody would give the space back.
    if (this.#isOver) this.release()
    return undefined
  }

  /** Call it when reading is over, whatever the outcome. */
  end (): void {
    this.#isOver = true
    this.release()
  }

  /** Call it when the files are gone. */
  release (): void {
    this.#release()
    this.#release = () => undefined
  }
}
