import { ConfigError } from '../config.ts'

/**
 * Turns the failure to listen on an address into an error of its settings (`<prefix>PORT`, `<prefix>HOST`): starting
 * again would not help.
 */
export function listenError (prefix: '' | 'METRICS_', port: number, host: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new ConfigError(`TABCAST_${prefix}PORT=${port}: another program listens on port ${port} of ${host}`, {
      cause: error
    })
  }
  if (code === 'EACCES') {
    return new ConfigError(`TABCAST_${prefix}PORT=${port}: this user may not listen on port ${port} (${message})`, {
      cause: error
    })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ConfigError(`TABCAST_${prefix}HOST=${host}: not an address of this machine (${message})`, {
      cause: error
    })
  }
  return error
}
