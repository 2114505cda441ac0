import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'

/** The yardstick of transfers over HTTP to a folder: the body to a file, synced, and back. */
export async function startBareFileServer (folder: string): Promise<{ url: string, stop: () => Promise<void> }> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'object')
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      createReadStream(path).pipe(response)
      return
    }
    const receive = async (): Promise<void> => {
      const file = await open(path, 'w')
      for await (const chunk of request as AsyncIterable<Buffer>) await file.writeFile(chunk)
      await file.datasync()
      await file.close()
      response.end()
    }
    receive().catch((error: Error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/object`,
    async stop () {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}
