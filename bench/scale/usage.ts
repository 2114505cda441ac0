import { writeFileSync } from 'node:fs'

/*
 * node --import .../usage.js PROGRAM: what the process has used, in the file that BENCH_USAGE_FILE names, once it
 * ends.
 */
const path = process.env['BENCH_USAGE_FILE']
if (path !== undefined) {
  process.once('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    writeFileSync(path, JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, mebibytes: maxRSS / 1024 }))
  })
}
