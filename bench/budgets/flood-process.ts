import { text } from 'node:stream/consumers'
import { LoadClient } from '../http/load-client.ts'
import { startFlood } from './flood.ts'

/*
 * The flood, in a process of its own, as its client is another one: node flood-process.js URL KEY OBJECT_ID. It begins
 * at once, ends when its standard input does, and then prints how often it was answered with which status, as JSON.
 */
const [baseUrl = '', key = '', objectId = ''] = process.argv.slice(2)
const client = new LoadClient(baseUrl, key)
const flood = startFlood(client, objectId)
await text(process.stdin)
await flood.stop()
client.close()
process.stdout.write(JSON.stringify(Object.fromEntries(flood.statuses)))
