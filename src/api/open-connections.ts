import type { Socket } from 'node:net'

interface Connection {
  socket: Socket
  owner: string
  /** Requests without a complete answer. */
  underWay: number
  /** It was opened or had a request since the last look. */
  isUsed: boolean
  isListed: boolean
}

/**
 * The connections of a server, by owner. A request only costs a counter: the search for idle connections happens when
 * one has to go.
 */
export class OpenConnections {
  count = 0
  readonly #open = new WeakMap<Socket, Connection>()
  readonly #ofOwner = new Map<string, number>()
  /** Connections that may be idle. */
  readonly #listed = new Lists()

  /** Returns how many connections the owner has. */
  open (socket: Socket, owner: string): number {
    const connection = { socket, owner, underWay: 0, isUsed: true, isListed: true }
    this.#open.set(socket, connection)
    this.#listed.add(connection)
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
    if (connection === undefined || --connection.underWay > 0 || connection.isListed) return
    connection.isListed = true
    this.#listed.add(connection)
  }

  close (socket: Socket): void {
    this.#gone(socket)
    socket.destroy()
  }

  /**
   * Closes an idle connection of the owner with the most connections, one that has not been used for long. A new
   * connection counts as idle.
   */
  closeIdle (): void {
    for (let next = this.#listed.first(); next !== undefined; next = this.#listed.first()) {
      if (next.underWay === 0 && !next.isUsed) return this.close(next.socket)
      // A busy connection comes back when it is idle; one that was used recently moves behind the others.
      this.#listed.delete(next)
      next.isUsed = false
      next.isListed = next.underWay === 0
      if (next.isListed) this.#listed.add(next)
    }
  }

  #gone (socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    this.#open.delete(socket)
    this.#listed.delete(connection)
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
