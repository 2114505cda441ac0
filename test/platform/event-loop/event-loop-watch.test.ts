import t, { type Test } from 'tap'
import { delayBounds, type EventLoopDelays } from '../../../src/platform/event-loop/event-loop-delays.ts'
import { startScript } from '../../support/script.ts'
import { until } from '../../support/until.ts'

interface Line {
  msg: string
  cause: string
  pauseMs: number
  cpuMs: number
  role: string
  err: { stack: string }
}

function run (t: Test, how: string) {
  const script = startScript(t, new URL('hold-up.ts', import.meta.url), [how])
  let text = ''
  script.child.stderr.on('data', (chunk: string) => {
    text += chunk
  })
  const pauses = () =>
    text.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line).filter((
      { cause }
    ) => cause !== 'no_core')
  return { ...script, pauses }
}

async function delaysOf (script: ReturnType<typeof run>): Promise<EventLoopDelays> {
  await script.printed('done')
  return JSON.parse(script.lines.at(-2) ?? '') as EventLoopDelays
}

t.test('code that computes for long is told once, with where it is, and counted', async (t) => {
  const script = run(t, 'compute')
  const { counts, pauses, sumSeconds } = await delaysOf(script)
  t.match(pauses, { computing: 1, blocked: 0 })
  const [line, ...more] = script.pauses()
  t.strictSame(more, [])
  t.match(line, {
    msg: 'event loop paused',
    cause: 'computing',
    role: 'test',
    err: { stack: / {4}at computeFor \(file:.*hold-up\.ts/ }
  })
  t.ok(line!.pauseMs >= 600 && line!.cpuMs > 200, `${line!.pauseMs} ms, of them computed ${line!.cpuMs}`)
  t.ok(sumSeconds > 0.6)
  t.ok(counts.slice(delayBounds.indexOf(0.5)).reduce((sum, count) => sum + count) >= 1)
})

t.test('a thread that waits for something else is told as that', async (t) => {
  const script = run(t, 'wait')
  t.match((await delaysOf(script)).pauses, { computing: 0, blocked: 1 })
  t.match(script.pauses(), [{ msg: 'event loop paused', cause: 'blocked' }])
})

t.test('one that hangs for good is told meanwhile', async (t) => {
  const script = run(t, 'hang')
  await script.printed('ready')
  const [line] = await until('a line of the log', () => script.pauses().length === 0 ? undefined : script.pauses(),
    40_000)
  t.match(line, { msg: 'event loop paused', cause: 'computing', err: { stack: /computeFor/ } })
  t.notOk(script.lines.includes('done'))
  await script.kill()
})

t.test('short turns are no pauses', async (t) => {
  const script = run(t, 'turns')
  t.match((await delaysOf(script)).pauses, { computing: 0, blocked: 0 })
  t.strictSame(script.pauses(), [])
})
