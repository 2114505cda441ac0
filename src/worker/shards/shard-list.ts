/** Published shards that no worker has taken, at most: the shards of a job must not fill the queue. */
const mostUnclaimed = 8
/** A worker that has said nothing of its shard for this long may be gone, or its messages are lost. */
const silentMs = 5_000

interface Shard {
  readonly index: number
  /** `own`: this run computes it. `failed`: another worker could not compute it, and this run has to. */
  state: 'open' | 'published' | 'taken' | 'own' | 'failed' | 'done'
  /** How often it was published, and the sequence number of the last message. */
  attempt: number
  seq: number | undefined
  maker: string | undefined
  takenMs: number
  heardMs: number
  fraction: number
}

/**
 * What a run that coordinates shards knows of them. Others get the first open ones, the run itself takes the last ones:
 * so both go on until they meet, and only at the end is a shard computed twice. Times are on the clock of
 * performance.now.
 */
export class ShardList {
  readonly #shards: Shard[]
  /** How many shards are in each state. */
  readonly #counts = new Map<Shard['state'], number>()
  /** No shard before this one is open. */
  #lowestOpen = 0
  #ownMs: number | undefined

  constructor (count: number, done: ReadonlySet<number>) {
    this.#shards = Array.from({ length: count }, (_, index) => ({
      index,
      state: done.has(index) ? 'done' : 'open',
      attempt: 0,
      seq: undefined,
      maker: undefined,
      takenMs: 0,
      heardMs: 0,
      fraction: 0
    }))
    for (const { state } of this.#shards) this.#counts.set(state, this.#count(state) + 1)
  }

  get total (): number {
    return this.#shards.length
  }

  get done (): number {
    return this.#count('done')
  }

  get isDone (): boolean {
    return this.done === this.total
  }

  /** How long a shard takes this run, in milliseconds; undefined before the first. */
  get ownMs (): number | undefined {
    return this.#ownMs
  }

  /** Slots that compute shards at the moment, that of this run included. */
  get working (): number {
    return 1 + this.#count('taken')
  }

  get open (): number {
    return this.total - this.done
  }

  /** The share of all shards that is done, from 0 to 1. */
  get fraction (): number {
    const sum = this.#shards.reduce((sum, { state, fraction }) => sum + (state === 'done' ? 1 : fraction), 0)
    return this.total === 0 ? 1 : sum / this.total
  }

  isOpen (index: number): boolean {
    const state = this.#shards[index]?.state
    return state !== undefined && state !== 'done'
  }

  /** The next shard for others; the attempt is counted. Undefined if enough wait already. */
  toPublish (): { index: number, attempt: number } | undefined {
    if (this.#count('published') >= mostUnclaimed) return undefined
    while (this.#shards[this.#lowestOpen] !== undefined && this.#shards[this.#lowestOpen]?.state !== 'open') {
      this.#lowestOpen++
    }
    const shard = this.#shards[this.#lowestOpen]
    if (shard === undefined) return undefined
    this.#move(shard, 'published')
    shard.seq = undefined
    return { index: shard.index, attempt: ++shard.attempt }
  }

  published (index: number, seq: number): void {
    const shard = this.#shards[index]
    if (shard !== undefined) shard.seq = seq
  }

  /** The queue did not take it, or has lost it. */
  unpublished (index: number): void {
    const shard = this.#shards[index]
    if (shard?.state !== 'published') return
    this.#move(shard, 'open')
    // Under the same id, so that the queue drops it if it has it after all.
    shard.attempt--
  }

  /** The queue may have lost what waited in it. */
  forgetPublished (): void {
    for (const { index } of this.#shards) this.unpublished(index)
  }

  taken (index: number, maker: string, nowMs: number): void {
    const shard = this.#shards[index]
    if (shard === undefined || shard.state === 'done' || shard.state === 'own') return
    this.#move(shard, 'taken')
    Object.assign(shard, { maker, takenMs: nowMs, heardMs: nowMs, fraction: 0 })
  }

  progressed (index: number, maker: string, fraction: number, nowMs: number): void {
    const shard = this.#shards[index]
    if (shard === undefined || shard.state === 'done') return
    // The message that it was taken was lost.
    if (shard.state === 'published' || shard.state === 'open') this.taken(index, maker, nowMs)
    if (shard.state === 'own' || shard.maker !== maker) return
    shard.heardMs = nowMs
    shard.fraction = fraction
  }

  /** Another worker gave it back, and it waits in the queue again. */
  returned (index: number, maker: string): void {
    const shard = this.#shards[index]
    if (shard?.state !== 'taken' || shard.maker !== maker) return
    this.#move(shard, 'published')
    shard.fraction = 0
  }

  failed (index: number): void {
    const shard = this.#shards[index]
    if (shard !== undefined && shard.state !== 'done' && shard.state !== 'own') this.#move(shard, 'failed')
  }

  /** The part was bad, and this run computes it again. */
  spoilt (index: number): void {
    const shard = this.#shards[index]
    if (shard === undefined) return
    this.#move(shard, 'failed')
    shard.fraction = 0
  }

  isDoneNow (index: number): void {
    const shard = this.#shards[index]
    if (shard === undefined) return
    this.#move(shard, 'done')
    shard.seq = undefined
  }

  ownProgress (index: number, fraction: number): void {
    const shard = this.#shards[index]
    if (shard !== undefined && shard.state !== 'done') shard.fraction = Math.max(shard.fraction, fraction)
  }

  ownTook (ms: number): void {
    this.#ownMs = this.#ownMs === undefined ? ms : (this.#ownMs + ms) / 2
  }

  /**
   * The next shard for this run: what others could not compute; what nobody has, from the end; then what others have
   * not finished and this run may finish sooner. `seq`: its message, if it waits in the queue.
   */
  nextOwn (nowMs: number): { index: number, seq: number | undefined } | undefined {
    const shard = this.#shards.find(({ state }) => state === 'failed') ??
      this.#shards.findLast(({ state }) => state === 'open') ??
      this.#shards.findLast(({ state }) => state === 'published') ??
      this.#slowest(nowMs)
    if (shard === undefined) return undefined
    const seq = shard.state === 'published' ? shard.seq : undefined
    this.#move(shard, 'own')
    return { index: shard.index, seq }
  }

  /** Shards of workers that have been silent for a while. */
  silent (nowMs: number): number[] {
    return this.#shards.filter(({ state, heardMs }) => state === 'taken' && nowMs - heardMs > silentMs)
      .map(({ index }) => index)
  }

  /** Shards that others have or may have. */
  elsewhere (): number[] {
    return this.#shards.filter(({ state }) => state === 'taken' || state === 'published').map(({ index }) => index)
  }

  #slowest (nowMs: number): Shard | undefined {
    const left = (shard: Shard): number => {
      if (nowMs - shard.heardMs > silentMs) return Infinity
      return (nowMs - shard.takenMs) * (1 - shard.fraction) / Math.max(shard.fraction, 0.01)
    }
    const [slowest] = this.#shards.filter(({ state }) => state === 'taken').sort((one, other) =>
      left(other) - left(one)
    )
    return slowest !== undefined && left(slowest) > (this.#ownMs ?? silentMs) ? slowest : undefined
  }

  #move (shard: Shard, state: Shard['state']): void {
    this.#counts.set(shard.state, this.#count(shard.state) - 1)
    this.#counts.set(state, this.#count(state) + 1)
    shard.state = state
    if (state === 'open') this.#lowestOpen = Math.min(this.#lowestOpen, shard.index)
  }

  #count (state: Shard['state']): number {
    return this.#counts.get(state) ?? 0
  }
}
