import { runJob, type BenchJob } from './job.ts'

/*
 * A job in a process of its own, so that its memory can be told: its timings and the largest resident size of the
 * process, as JSON.
 */
const result = await runJob(JSON.parse(process.argv[2] ?? '') as BenchJob)
process.stdout.write(
  JSON.stringify({
    timings: result.timings,
    completed: result.explainability?.completed,
    skipped: result.explainability?.skipped,
    peakMib: process.resourceUsage().maxRSS / 1024
  })
)
