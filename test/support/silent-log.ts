import type { QueueLog } from '../../src/platform/queue/index.ts'

/** Discards everything, or shows it when TEST_LOG is set. */
export const silentLog: QueueLog = {
  debug: (fields, message) => show('debug', fields, message),
  info: (fields, message) => show('info', fields, message),
  warn: (fields, message) => show('warn', fields, message),
  error: (fields, message) => show('error', fields, message)
}

function show (level: string, fields: object, message: string): void {
  if (process.env['TEST_LOG']) process.stderr.write(`${level} ${message} ${JSON.stringify(fields, errors)}\n`)
}

function errors (_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value
}
