import { setTimeout as sleep } from 'node:timers/promises'
import { generatePanel } from '../panel.ts'
import { quantile } from '../quantile.ts'
import type { Measurement } from '../result.ts'
import { buildForm, type LoadClient } from './load-client.ts'
import { usedByProcess, type Role, type Used } from './service-processes.ts'

const clients = 32

/** Clients that submit, long-poll until completed and start over, for a fixed time. */
export async function measureSmallJobs (client: LoadClient, servicePid: number,
  trial: boolean): Promise<Measurement[]> {
  const seconds = trial ? 5 : 60
  const form = buildForm({ presets: 'fast', prediction_length: '12' },
    generatePanel({ series: 10, length: 200, step: 'day', seasonLength: 7 }))
  const latenciesMs: number[] = []
  const errors: string[] = []
  let completedInTime = 0
  const before = usedByProcess(servicePid)
  const endMs = performance.now() + seconds * 1000

  await Promise.all(Array.from({ length: clients }, async () => {
    while (performance.now() < endMs) {
      const submittedMs = performance.now()
      try {
        await client.forecast(form)
        latenciesMs.push(performance.now() - submittedMs)
        if (performance.now() <= endMs) completedInTime++
      } catch (error) {
        errors.push((error as Error).message)
        await sleep(100)
      }
    }
  }))
  const perJob = usedPerJob(before, usedByProcess(servicePid), latenciesMs.length)
  const what = `${clients} clients, ${seconds} s, jobs of 10 series x 200 points, fast, submit to completed`
  const [first] = errors
  return [
    { what, figure: completedInTime / seconds, unit: 'jobs/s', gate: { atLeast: 120 }, aim: { atLeast: 250 } },
    {
      what: `errors in that run${first === undefined ? '' : ` (first: ${first.slice(0, 120)})`}`,
      figure: errors.length,
      unit: 'errors',
      gate: { atMost: 0 }
    },
    { what: 'p50 of a job in that run', figure: quantile(latenciesMs, 0.5), unit: 'ms' },
    { what: 'p99 of a job in that run', figure: quantile(latenciesMs, 0.99), unit: 'ms' },
    ...roles.map((role): Measurement => ({
      what: `${role}, processor time of a job in that run`,
      figure: perJob.get(role)?.cpuMs ?? 0,
      unit: 'CPU ms'
    })),
    {
      what: 'all but the slots, processor time of a job in that run',
      figure: sum(perJob, ({ role, cpuMs }) => role === 'slots' ? 0 : cpuMs),
      unit: 'CPU ms',
      gate: { atMost: 7 },
      aim: { atMost: 4 }
    },
    {
      what: 'write calls of a job in that run',
      figure: sum(perJob, ({ writeCalls }) => writeCalls),
      unit: 'calls',
      gate: { atMost: 60 },
      aim: { atMost: 30 }
    }
  ]
}

const roles = ['api', 'worker', 'queue server', 'slots'] as const

/** A process that was replaced meanwhile counts with what the new one has used. */
function usedPerJob (before: ReadonlyMap<number, Used>, after: ReadonlyMap<number, Used>,
  jobs: number): Map<Role, Used> {
  const byRole = new Map<Role, Used>()
  for (const [pid, { role, cpuMs, writeCalls }] of after) {
    const known = before.get(pid)
    const total = byRole.get(role) ?? { role, cpuMs: 0, writeCalls: 0 }
    total.cpuMs += (cpuMs - (known?.cpuMs ?? 0)) / jobs
    total.writeCalls += (writeCalls - (known?.writeCalls ?? 0)) / jobs
    byRole.set(role, total)
  }
  return byRole
}

function sum (perJob: ReadonlyMap<Role, Used>, of: (used: Used) => number): number {
  return [...perJob.values()].reduce((total, used) => total + of(used), 0)
}

/** One series at a time on an idle service. */
export async function measureIdleLatency (client: LoadClient, trial: boolean): Promise<Measurement[]> {
  const repetitions = trial ? 5 : 50
  const form = buildForm({ prediction_length: '12' },
    generatePanel({ series: 1, length: 200, step: 'day', seasonLength: 7 }))
  const latenciesMs: number[] = []
  for (let repetition = 0; repetition < repetitions; repetition++) {
    await sleep(200)
    const startMs = performance.now()
    await client.forecast(form)
    latenciesMs.push(performance.now() - startMs)
  }
  const what = 'one series of 200 points, default preset, idle service, submit to completed'
  return [
    {
      what: `${what}, p50 of ${repetitions}`,
      figure: quantile(latenciesMs, 0.5),
      unit: 'ms',
      gate: { atMost: 25 },
      aim: { atMost: 15 }
    },
    {
      what: `${what}, p99`,
      figure: quantile(latenciesMs, 0.99),
      unit: 'ms',
      gate: { atMost: 80 },
      aim: { atMost: 40 }
    }
  ]
}
