import { withoutTakenBack } from '../wishes/corrections.ts'
import type { Finding, Reading } from '../reading.ts'
import { inferredWeight, open, type Choice } from './choice.ts'

/** Chooses the time column: that of the prompt, else that of the data. */
export function chooseTimeColumn (findings: readonly Finding[], reading: Reading): Choice<string | null> {
  const { roles, columns } = reading.data
  const [named] = withoutTakenBack(findings.filter((finding) => finding.field === 'time_column'), reading)
  const value = named?.value ?? roles.timestamp
  if (value !== null) return { value, weight: inferredWeight }
  return open('time_column', 'Which column has the time?', [...roles.otherTimestamps,
    ...columns.filter(({ kind }) => kind === 'text').map(({ name }) => name)])
}
