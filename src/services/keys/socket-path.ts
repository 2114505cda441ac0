import { ConfigError } from '../../platform/config.ts'

/** Of the address of a Unix socket, on the system that takes least. */
const maxSocketPathBytes = 103

/** The system cuts a longer path off without a word, and the socket would lie somewhere else. Throws ConfigError. */
export function assertSocketPath (path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes > maxSocketPathBytes) {
    throw new ConfigError(
      `TABCAST_DATA_DIR: the socket ${path} in it would have a path of ${bytes} bytes; at most ${maxSocketPathBytes} ` +
        'work, so use a folder with a shorter path'
    )
  }
}
