import { Session, type Debugger } from 'node:inspector'

const maxFrames = 12

/**
 * Where the main thread is, in the form of `Error.stack` without its first line. For it the thread stands still for
 * some milliseconds; native code is told from by the function that called it. Resolves when JavaScript runs next.
 */
export async function mainThreadStack (): Promise<string> {
  const session = new Session()
  session.connectToMainThread()
  try {
    return await new Promise<string>((resolve, reject) => {
      // Frames have ids of scripts, and their names come when the debugger is enabled.
      const urls = new Map<string, string>()
      session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url))
      const failed = (error: Error | null) => {
        if (error !== null) reject(error)
      }
      session.once('Debugger.paused', ({ params }) => {
        session.post('Debugger.resume', failed)
        resolve(params.callFrames.slice(0, maxFrames).map((frame) => lineOf(frame, urls)).join('\n'))
      })
      session.post('Debugger.enable', failed)
      session.post('Debugger.pause', failed)
    })
  } finally {
    // Also lets a thread go that stands still.
    session.disconnect()
  }
}

function lineOf ({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }: Debugger.CallFrame,
  urls: ReadonlyMap<string, string>): string {
  return `    at ${functionName === '' ? '<anonymous>' : functionName} (${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${
    columnNumber + 1
  })`
}
