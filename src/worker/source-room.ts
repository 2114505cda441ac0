import type { NoRoom, ScratchRoom } from '../platform/disk/scratch-room.ts'
import { ConnectorError } from '../sources/connectors/connector-error.ts'

/** There is no room for a source now. `isTaken`: others have it, and give it back. */
export class NoSourceRoom extends Error {
  override name = 'NoSourceRoom'
  readonly isTaken: boolean

  constructor (isTaken: boolean) {
    super(
      isTaken ? 'Other sources have the room that there is.' : 'The disk of the service has no room for the source now.'
    )
    this.isTaken = isTaken
  }
}

/** The room in scratch that somebody has for the source that they read. */
export class SourceRoom {
  readonly #scratch: Pick<ScratchRoom, 'take'>
  readonly #tenant: string
  #release: () => void = () => undefined
  #isOver = false

  constructor (scratch: Pick<ScratchRoom, 'take'>, tenant: string) {
    this.#scratch = scratch
    this.#tenant = tenant
  }

  /** For another attempt in place of the one before. Rejects with NoSourceRoom, or where there can never be enough. */
  async reserve (bytes: number): Promise<void> {
    const none = await this.take(bytes)
    if (none === 'never') throw new ConnectorError('DATASET_TOO_LARGE')
    if (none !== undefined) throw new NoSourceRoom(none === 'now')
  }

  /** The same, for another process: why there is none. */
  async take (bytes: number): Promise<NoRoom | undefined> {
    this.release()
    const room = await this.#scratch.take(this.#tenant, bytes)
    if (typeof room === 'string') return room
    this.#release = room
    // Cancelled meanwhile: nobody waits for this any more, and nobody would give the room back.
    if (this.#isOver) this.release()
    return undefined
  }

  /** No more is read. */
  end (): void {
    this.#isOver = true
    this.release()
  }

  /** Its files are gone. */
  release (): void {
    this.#release()
    this.#release = () => undefined
  }
}
