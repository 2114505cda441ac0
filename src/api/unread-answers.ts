import { TabcastError } from '../platform/errors.ts'

/** So many owners have all their bytes at a time; beyond that each has one answer. */
const fullOwners = 8
const retryAfterSeconds = 10

/** Of one answer, from when it is made until the last of it has left for the network. */
export interface KeptAnswer {
  /** What has been counted of it. */
  readonly bytes: number
  /** Throws rate_limited where its owner has too many; `anyway`: it is counted and never refused. */
  add(bytes: number, anyway?: boolean): void
  /** More than one call included. */
  release(): void
}

/**
 * Counts the bytes of answers that are kept in memory until their clients have read them. The kernel takes the first
 * ones, and what is beyond stays here for as long as a client likes: so an owner, such as a tenant, may have so many
 * unread, and an answer beyond them is refused. One that is the only one of its owner never is.
 */
export class UnreadAnswers {
  readonly #perOwner: number
  readonly #ofOwner = new Map<string, number>()
  /** Of all, without what was the only one of its owner: nobody is refused for what nobody is refused. */
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

  /** `ofOthers`: of the owner's other answers. */
  #check (ofOthers: number, own: number, more: number): void {
    if (ofOthers === 0) return
    if (ofOthers + own + more <= this.#perOwner && this.#shared + more <= this.#perOwner * fullOwners) return
    throw new TabcastError('rate_limited', 'Too many answers to this tenant have been sent and not been read.', {
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
