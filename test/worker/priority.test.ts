import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { until } from '../support/until.ts'
import { setup } from '../support/worker.ts'

/**
 * Nice values of all threads of a process, each once: the 19th field of `stat`, the 17th behind the name in brackets.
 */
function niceValues (pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
  )
  return [...new Set(threads.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])))]
}

t.test('every thread of a slot stands back for the worker, of jobs for what somebody waits for, and of long jobs for ' +
  'small ones', async (t) => {
  const bench = await setup()
  t.teardown(() => bench.cleanup())
  const worker = await bench.start({ TABCAST_SLOTS: '2', TABCAST_CHECK_SLOTS: '1' })
  const own = niceValues(process.pid)[0] ?? 0
  t.strictSame(niceValues(worker.process.pid ?? 0), [own])
  // A slot takes its place while it starts, and the worker announces itself when the first one is ready.
  const wanted = JSON.stringify([[own + 5], [own + 10], [own + 15]])
  const seen = () => JSON.stringify(worker.slotPids().map(niceValues).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)))
  await until('all slots have started', () => seen() === wanted)
  t.equal(seen(), wanted)
  const outOfMemory = (pid: number): string => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()
  t.same(worker.slotPids().map(outOfMemory), ['1000', '1000', '1000'], 'the kernel ends a slot first')
  t.equal(outOfMemory(worker.process.pid ?? 0), outOfMemory(process.pid), 'and not for that the worker')
})
