import { ConfigError } from '../../platform/config.ts'

/** The longest Unix socket address on the most restrictive system. */
const maxSocketPathBytes = 103

/** The system silently truncates a longer path, so the socket would be somewhere else. Throws ConfigError. */
export function assertSocketPath (path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes > maxSocketPathBytes) {
    throw new ConfigError(
      `TABCAST_DATA_DIR: the socket ${path} in it would have a path of ${bytes} bytes; at most ${maxSocketPathBytes} ` +
        'work, so use a folder with a shorter path'
    )
  }
}
