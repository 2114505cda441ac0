import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { JobType } from '../../domain/job.ts'
import type { JobObserver } from '../../services/jobs/job-observer.ts'
import type { JobRecord } from '../../services/jobs/job-record.ts'
import { isQuarantined } from '../../services/jobs/transitions.ts'
import { WaitingJobs } from './waiting-jobs.ts'

const jobTypes: readonly JobType[] = ['forecast', 'fine_tune', 'classification', 'regression']
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

/**
 * Counts jobs from their record to their end. There is no label for the tenant, because the number of tenants has no
 * bound.
 */
export class JobMetrics implements JobObserver {
  readonly #waiting = new WaitingJobs()
  readonly #created: Counter<'job_type'>
  readonly #ended: Counter<'job_type' | 'outcome' | 'error_code'>
  readonly #attempts: Counter<'job_type'>
  readonly #redispatches: Counter<'job_type'>
  readonly #slotDeaths: Counter<'job_type'>
  readonly #lostWorkers: Counter<'job_type'>
  readonly #quarantined: Counter<'job_type'>
  readonly #queueSeconds: Histogram<'job_type'>
  readonly #runSeconds: Histogram<'job_type' | 'outcome'>

  constructor (registry: Registry) {
    const registers = [registry]
    const byType = (name: string, help: string): Counter<'job_type'> => {
      const counter = new Counter({ name, help, labelNames: ['job_type'], registers })
      for (const type of jobTypes) counter.inc({ job_type: type }, 0)
      return counter
    }
    this.#created = byType('tabcast_jobs_created_total', 'Jobs taken.')
    this.#attempts = byType('tabcast_job_attempts_total', 'Runs granted to workers.')
    this.#redispatches = byType('tabcast_job_redispatches_total',
      'Jobs sent to the queue again: their message or result was lost, or their run was stopped because others ' +
        'needed its slot.')
    this.#slotDeaths = byType('tabcast_job_slot_deaths_total', 'Slot processes that died on a job.')
    this.#lostWorkers = byType('tabcast_job_lost_workers_total', 'Workers that vanished with a job.')
    this.#quarantined = byType('tabcast_jobs_quarantined_total',
      'Jobs that were given a worker of their own, because two workers were lost with them.')
    this.#ended = new Counter({
      name: 'tabcast_jobs_ended_total',
      help: 'Jobs ended; error_code is none for those that completed.',
      labelNames: ['job_type', 'outcome', 'error_code'],
      registers
    })
    this.#queueSeconds = new Histogram({
      name: 'tabcast_job_queue_seconds',
      help: 'From the record of a job to its first run.',
      labelNames: ['job_type'],
      buckets,
      registers
    })
    this.#runSeconds = new Histogram({
      name: 'tabcast_job_run_seconds',
      help: 'From the first run of a job to its end, further runs included.',
      labelNames: ['job_type', 'outcome'],
      buckets,
      registers
    })
    this.#watchQueue(registry)
  }

  found (record: JobRecord): void {
    if (record.status === 'pending') this.#waiting.add(record)
  }

  created (record: JobRecord): void {
    this.#created.inc({ job_type: record.jobType })
    this.#waiting.add(record)
  }

  claimed (before: JobRecord, after: JobRecord): void {
    const labels = { job_type: after.jobType }
    this.#attempts.inc(labels, after.attempt - before.attempt)
    this.#slotDeaths.inc(labels, after.slotDeaths - before.slotDeaths)
    this.#lostWorkers.inc(labels, after.lostWorkers - before.lostWorkers)
    if (isQuarantined(after) && !isQuarantined(before)) this.#quarantined.inc(labels)
    this.#waiting.delete(after)
    if (before.startedAtMs === null && after.startedAtMs !== null) {
      this.#queueSeconds.observe(labels, seconds(after.createdAtMs, after.startedAtMs))
    }
  }

  redispatched ({ jobType }: JobRecord): void {
    this.#redispatches.inc({ job_type: jobType })
  }

  ended (record: JobRecord): void {
    const { jobType, status, errorCode, startedAtMs, completedAtMs } = record
    this.#waiting.delete(record)
    this.#ended.inc({ job_type: jobType, outcome: status, error_code: errorCode ?? 'none' })
    if (startedAtMs !== null && completedAtMs !== null) {
      this.#runSeconds.observe({ job_type: jobType, outcome: status }, seconds(startedAtMs, completedAtMs))
    }
  }

  buried (record: JobRecord): void {
    this.#waiting.delete(record)
  }

  #watchQueue (registry: Registry): void {
    const waiting = this.#waiting
    registry.registerMetric(new Gauge({
      name: 'tabcast_jobs_waiting',
      help: 'Jobs that no worker has started.',
      labelNames: ['job_type'],
      registers: [],
      collect () {
        for (const type of jobTypes) this.set({ job_type: type }, waiting.count(type))
      }
    }))
    registry.registerMetric(new Gauge({
      name: 'tabcast_jobs_waiting_oldest_seconds',
      help: 'Age of the oldest job that no worker has started; 0: none waits.',
      labelNames: ['job_type'],
      registers: [],
      collect () {
        for (const type of jobTypes) this.set({ job_type: type }, waiting.oldestSeconds(type))
      }
    }))
  }
}

/** Never negative, although the wall clock may have been set back. */
function seconds (fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs) / 1000
}
