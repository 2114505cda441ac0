import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { until } from './until.ts'

export interface ServerEvent {
  id: number | null
  event: string
  data: Record<string, unknown>
}

/** A reader of server-sent events over a socket of its own. */
export class EventReader {
  readonly response: IncomingMessage
  readonly events: ServerEvent[] = []
  heartbeats = 0
  ended = false
  #rest = ''

  constructor (response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
      .on('data', (text: string) => {
        this.#take(text)
      })
      .on('error', () => undefined)
      .on('close', () => {
        this.ended = true
      })
  }

  static async open (url: string, headers: Record<string, string>): Promise<EventReader> {
    const outgoing = request(url, { headers: { accept: 'text/event-stream', ...headers } }).end()
    const [response] = await once(outgoing, 'response') as [IncomingMessage]
    return new EventReader(response)
  }

  async next (name: string, matches: (data: Record<string, unknown>) => boolean = () => true): Promise<ServerEvent> {
    return await until(`an event ${name}`, () => this.events.find(({ event, data }) => event === name && matches(data)))
  }

  async untilEnded (): Promise<void> {
    await until('the end of the stream', () => this.ended)
  }

  /** Blocks end with an empty line; what is still open waits for the rest. */
  #take (text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) this.heartbeats++
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
      )
      const [data, event, id] = [fields.get('data'), fields.get('event'), fields.get('id')]
      if (data !== undefined) {
        this.events.push({
          id: id === undefined ? null : Number(id),
          event: event ?? '',
          data: JSON.parse(data) as Record<string, unknown>
        })
      }
    }
  }
}
