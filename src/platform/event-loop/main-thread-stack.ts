import { Session, type Debugger } from 'node:inspector'

const maxFrames = 12

/**
 * The stack of the main thread, in the form of `Error.stack` without its first line. The thread stands still for some
 * milliseconds meanwhile. Native code shows up as the function that called it. Resolves when JavaScript runs again.
 */
export async function mainThreadStack (): Promise<string> {
  const session = new Session()
  session.connectToMainThread()
  try {
    return await new Promise<string>((resolve, reject) => {
      // Frames carry script ids. The debugger sends the scripts' names when it is enabled.
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
    // This also resumes a paused thread.
    session.disconnect()
  }
}

function lineOf ({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }: Debugger.CallFrame,
  urls: ReadonlyMap<string, string>): string {
  return `    at ${functionName === '' ? '<anonymous>' : functionName} (${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${
    columnNumber + 1
  })`
}
