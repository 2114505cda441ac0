import { setTimeout as sleep } from 'node:timers/promises'
import { EventLoopWatch } from '../../../src/platform/event-loop/event-loop-watch.ts'

/* Holds its main thread up: `compute`, `wait` or `hang`, and says what was seen of it. */
function computeFor (ms: number): number {
  // Of CPU: on a busy machine it lasts longer.
  const start = process.cpuUsage()
  let rounds = 0
  while (process.cpuUsage(start).user + process.cpuUsage(start).system < ms * 1000) rounds++
  return rounds
}

const [how] = process.argv.slice(2)
// Before the start nothing counts.
computeFor(300)
const watch = new EventLoopWatch()
watch.start('info', { role: 'test' })
await sleep(1_500)
console.log('ready')
if (how === 'compute') computeFor(700)
else if (how === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
else if (how === 'hang') computeFor(60_000)
else for (let round = 0; round < 20; round++) await sleep(50, computeFor(50))
await sleep(1_500)
console.log(JSON.stringify(watch.delays()))
await watch.stop()
console.log('done')
