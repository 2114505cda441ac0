import { profileData } from '../../src/engine/index.ts'

/*
 * Profiles the CSV file of its first argument as a worker's slot does and prints, as JSON, how long that took and
 * the most memory that this process ever had.
 */
const [path = ''] = process.argv.slice(2)
const limits = { maxRows: 2e8, maxColumns: 500, maxSeries: 2e6, maxCellChars: 32_768 }
const start = performance.now()
const { roles, series } = await profileData({
  inputPaths: [path],
  format: 'csv',
  compression: null,
  columns: {},
  limits,
  threads: 2
})
const seconds = (performance.now() - start) / 1e3
process.stdout.write(JSON.stringify({ seconds, peakMiB: process.resourceUsage().maxRSS / 1024, roles, series }))
