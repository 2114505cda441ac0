import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  name: string
  ph: string
  ts: number
  dur?: number
  tdur?: number
  pid: number
  tid: number
}

export interface Work {
  /** Milliseconds of CPU time of script in each frame for which the page had asked. */
  frames: number[]
  /** Milliseconds of CPU time of the longest task of the page's main thread. */
  longestTask: number
}

const scripts = new Set(['FireAnimationFrame', 'EventDispatch', 'FunctionCall', 'RunMicrotasks',
  'BlinkScheduler_PerformMicrotaskCheckpoint', 'TimerFire'])
const tasks = new Set(['RunTask', 'ThreadControllerImpl::RunTask'])

/** What the main thread of the page did while `act` went on, from Chromium's own trace. */
export async function traceWork (browser: Browser, page: Page, act: () => Promise<void>): Promise<Work> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'devtools.timeline.frame']
  })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const fired = traceEvents.find(({ name }) => name === 'FireAnimationFrame')
  if (fired === undefined) throw new Error('no frame of the page was in the trace')
  const main = traceEvents.filter(({ pid, tid, ph, name }) =>
    pid === fired.pid && tid === fired.tid && (ph === 'X' || isFrame({ name, ph }))
  ).sort((a, b) => a.ts - b.ts)
  const frames: number[] = []
  let [current, end, isAsked] = [0, 0, false]
  const close = () => {
    if (isAsked) frames.push(current)
    current = 0
    isAsked = false
  }
  for (const { name, ph, ts, dur = 0, tdur = dur } of main) {
    if (isFrame({ name, ph })) close()
    if (name === 'FireAnimationFrame') isAsked = true
    // An event inside another one counts once.
    if (!scripts.has(name) || ts < end) continue
    current += tdur / 1000
    end = ts + dur
  }
  close()
  const lengths = main.filter(({ name }) => tasks.has(name)).map(({ dur = 0, tdur = dur }) => tdur / 1000)
  if (lengths.length === 0) throw new Error('no task of the page was in the trace')
  return { frames, longestTask: lengths.reduce((longest, time) => Math.max(longest, time), 0) }
}

function isFrame ({ name, ph }: Pick<TraceEvent, 'name' | 'ph'>): boolean {
  return name === 'AnimationFrame' && ph === 'b'
}
