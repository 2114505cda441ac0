import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import './plain-children.ts'

export interface Script {
  child: ChildProcessWithoutNullStreams
  /** Every complete line that the script has printed so far. */
  lines: string[]
  /** Resolves when a line equals this text; rejects when the script ends first. */
  printed: (line: string) => Promise<void>
  /** SIGKILL, and wait until the process is gone and its output is read. */
  kill: () => Promise<void>
  /** Exit status. */
  ended: Promise<number | null>
}

/** Runs a TypeScript file in a Node process of its own; killed with the test. */
export function startScript (t: Test, url: URL, args: string[]): Script {
  const child = spawn(process.execPath, ['--import=tsx', fileURLToPath(url), ...args])
  const lines: string[] = []
  const waiting = new Map<string, () => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    waiting.get(line)?.()
  })
  let problem = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(kill)
  const printed = async (line: string) => {
    if (lines.includes(line)) return
    const found = new Promise<true>((resolve) => waiting.set(line, () => resolve(true)))
    const code = await Promise.race([found, ended])
    if (code !== true) throw new Error(`the script ended with ${code} before it printed ${line}: ${problem}`)
  }
  return { child, lines, printed, kill, ended }
}
