import type { Socket } from 'node:net'

interface Connection {
  socket: Socket
  owner: string
  /** Requests without a complete answer. */
  underWay: number
  /** It was opened or had a request since the last look. */
  isUsed: boolean
  /** A search found the connection busy, and its requests have not ended since. */
  isBusy: boolean
}

/** An owner with this many connections or fewer loses none of its busy ones. */
const busyKept = 8

/**
 * The connections of a server, by owner. A request only costs a counter: the search for idle connections happens when
 * one has to go.
 */
export class OpenConnections {
  count = 0
  readonly #open = new WeakMap<Socket, Connection>()
  readonly #ofOwner = new Map<string, number>()
  /** Connections that may be idle. */
  readonly #idle = new Lists()
  /** Connections that a search found busy, in the order in which it found them. */
  readonly #busy = new Lists()

  /** Returns how many connections the owner has. */
  open (socket: Socket, owner: string): number {
    const connection = { socket, owner, underWay: 0, isUsed: true, isBusy: false }
    this.#open.set(socket, connection)
    this.#idle.add(connection)
    socket.once('close', () => this.#gone(socket))
    return this.#change(owner, 1)
  }

  begin (socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.underWay++
    connection.isUsed = true
  }

  end (socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || --connection.underWay > 0 || !connection.isBusy) return
    connection.isBusy = false
    this.#busy.delete(connection)
    this.#idle.add(connection)
  }

  close (socket: Socket): void {
    this.#gone(socket)
    socket.destroy()
  }

  /**
   * Closes a connection to make room for the newcomer: one that has been idle for long, of the owner with the most idle
   * ones. If the newcomer is the only idle one, closes the connection that has been busy for longest, of the owner with
   * the most busy ones, provided that this owner has at least twice as many as the newcomer's; otherwise two addresses
   * that read slowly would hold all connections. If there is no such owner, closes the newcomer.
   */
  makeRoom (newcomer: Socket): void {
    for (let next = this.#idle.first(); next !== undefined; next = this.#idle.first()) {
      if (next.underWay === 0 && !next.isUsed) {
        return this.close(next.socket === newcomer ? this.#busyOneFor(next) ?? newcomer : next.socket)
      }
      // A connection that was used recently moves behind the others.
      this.#idle.delete(next)
      next.isUsed = false
      next.isBusy = next.underWay > 0
      if (next.isBusy) this.#busy.add(next)
      else this.#idle.add(next)
    }
  }

  #busyOneFor ({ owner }: Connection): Socket | undefined {
    const busy = this.#busy.first()
    if (busy === undefined) return undefined
    const [own, others] = [this.#ofOwner.get(owner) ?? 0, this.#ofOwner.get(busy.owner) ?? 0]
    return others > busyKept && others >= 2 * own ? busy.socket : undefined
  }

  #gone (socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    this.#open.delete(socket)
    this.#idle.delete(connection)
    this.#busy.delete(connection)
    this.#change(connection.owner, -1)
  }

  #change (owner: string, by: 1 | -1): number {
    this.count += by
    const count = (this.#ofOwner.get(owner) ?? 0) + by
    if (count === 0) this.#ofOwner.delete(owner)
    else this.#ofOwner.set(owner, count)
    return count
  }
}

/** One list of connections for each owner. */
class Lists {
  readonly #ofOwner = new Map<string, Set<Connection>>()
  /** At index n: owners with n connections in their list. */
  readonly #withCount: Array<Set<string>> = []
  #most = 0

  add (connection: Connection): void {
    const { owner } = connection
    let own = this.#ofOwner.get(owner)
    if (own === undefined) this.#ofOwner.set(owner, own = new Set())
    own.add(connection)
    this.#move(owner, own.size - 1, own.size)
  }

  delete (connection: Connection): void {
    const { owner } = connection
    const own = this.#ofOwner.get(owner)
    if (own?.delete(connection) !== true) return
    this.#move(owner, own.size + 1, own.size)
    if (own.size === 0) this.#ofOwner.delete(owner)
  }

  /** The first connection of the longest list. */
  first (): Connection | undefined {
    const owner = firstOf(this.#withCount[this.#most])
    return owner === undefined ? undefined : firstOf(this.#ofOwner.get(owner))
  }

  /** Lengths change by one, so the longest list is known without a search. */
  #move (owner: string, from: number, to: number): void {
    this.#withCount[from]?.delete(owner)
    if (to > 0) (this.#withCount[to] ??= new Set()).add(owner)
    if (to > this.#most || (from === this.#most && this.#withCount[from]?.size === 0)) this.#most = to
  }
}

function firstOf<T> (set: Set<T> | undefined): T | undefined {
  return set?.values().next().value
}
