import { TabcastError } from '../platform/errors.ts'

/** This many owners can have all of their bytes at the same time. Beyond that, each has one answer. */
const fullOwners = 8
const retryAfterSeconds = 10

/** One answer, from when it is made until its last byte has left for the network. */
export interface KeptAnswer {
  /** The bytes that are counted for it. */
  readonly bytes: number
  /** Throws rate_limited when its owner has too many; with `anyway` it is counted and never refused. */
  add(bytes: number, anyway?: boolean): void
  /** May be called more than once. */
  release: () => void
}

/**
 * Counts the bytes of answers in memory that clients have not read. The kernel takes the first bytes, and the rest
 * stays here for as long as the client likes. So an owner, such as a tenant, may have a limited number of unread bytes,
 * and further answers are refused. The only answer of an owner is never refused.
 */
export class UnreadAnswers {
  readonly #perOwner: number
  readonly #ofOwner = new Map<string, number>()
  /** The bytes of all owners, without answers that are their owner's only one, because these are never refused. */
  #shared = 0

  constructor (perOwner: number) {
    this.#perOwner = perOwner
  }

  open (owner: string): KeptAnswer {
    const state = { bytes: 0, shared: 0, isOpen: true }
    return {
      get bytes () {
        return state.bytes
      },
      add: (bytes, anyway = false) => {
        if (!state.isOpen) return
        const ofOthers = (this.#ofOwner.get(owner) ?? 0) - state.bytes
        if (!anyway) this.#check(ofOthers, state.bytes, bytes)
        state.bytes += bytes
        this.#change(owner, bytes)
        if (ofOthers === 0) return
        state.shared += bytes
        this.#shared += bytes
      },
      release: () => {
        if (!state.isOpen) return
        state.isOpen = false
        this.#change(owner, -state.bytes)
        this.#shared -= state.shared
      }
    }
  }

  /** `ofOthers`: the bytes of the owner's other answers. */
  #check (ofOthers: number, own: number, more: number): void {
    if (ofOthers === 0) return
    if (ofOthers + own + more <= this.#perOwner && this.#shared + more <= this.#perOwner * fullOwners) return
    throw new TabcastError('rate_limited', 'Clients of this tenant have too many answers that they have not read.', {
      reason: 'unread_answers',
      suggestion: 'Read each answer to its end, and ask for fewer at a time.',
      retryAfterSeconds
    })
  }

  #change (owner: string, by: number): void {
    const bytes = (this.#ofOwner.get(owner) ?? 0) + by
    if (bytes > 0) this.#ofOwner.set(owner, bytes)
    else this.#ofOwner.delete(owner)
  }
}
