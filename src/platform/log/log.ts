import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino'
import { LineBound, type Line } from './line-bound.ts'
import { standardError } from './standard-error.ts'
import { defined } from '../defined.ts'

/**
 * The only fields that a log line may have, besides those of the process: ids, codes, counts, times and names that this
 * code or the operator chose. There are none for what customers send: headers, bodies, prompts, file names, keys,
 * addresses.
 */
const allowedFields = new Set([
  'aheadSeconds',
  'attempt',
  'audit',
  'by',
  'bytes',
  'callbackStatus',
  'cause',
  'child',
  'childPid',
  'code',
  'connected',
  'connectionId',
  'count',
  'cpuMs',
  'deaths',
  'dispatch',
  'error',
  'events',
  'host',
  'id',
  'jobId',
  'jobType',
  'keyId',
  'kind',
  'late',
  'messageId',
  'method',
  'modelId',
  'objectId',
  'operation',
  'passing',
  'pauseMs',
  'pid',
  'port',
  'reason',
  'requestId',
  'route',
  'run',
  'scopes',
  'seq',
  'serverPid',
  'shard',
  'shards',
  'signal',
  'size',
  'slots',
  'status',
  'statusCode',
  'subject',
  'task',
  'tenant',
  'traceId',
  'version',
  'what',
  'worker',
  'workerId'
])
/**
 * Errors whose texts this code writes, without anything of a customer. Other texts may quote a request, or name files
 * and addresses.
 */
const speakingErrors = new Set(['QueueError', 'MetadataError', 'KeyInputError', 'ConfigError'])
const warnLevel = pino.levels.values['warn'] ?? 40
const maxChars = 300
const maxFrames = 12
const maxCauses = 3

/** Writes lines of JSON to standard error, or to `destination`. */
export function createLog (level: LevelWithSilent, base: Record<string, unknown>, destination?: DestinationStream,
  bound = new LineBound()): Logger {
  const root: Logger = pino({
    level,
    base: { ...base, pid: process.pid },
    formatters: { log: allowed },
    // pino's own serializer would write the text of an error.
    serializers: { err: (facts: unknown) => facts },
    hooks: {
      logMethod (args, method, level) {
        const [first, ...rest] = args as [unknown, ...unknown[]]
        for (const { text, facts, count } of bound.over()) {
          root.warn({ ...besides(root.bindings(), facts), what: text, count },
            'lines of the last minute were left out, such as this one')
        }
        if (level >= warnLevel && !bound.take(lineOf(this.bindings(), first, rest[0]))) return
        // pino would use the error's text if there were no message.
        const error: unknown = first instanceof Error ? first : (first as { err?: unknown } | null)?.err
        if (error instanceof Error && rest.length === 0) {
          method.apply(this, [first instanceof Error ? { err: first } : first, 'error'])
        } else method.apply(this, args)
      }
    }
  }, destination ?? standardError((count) => root.warn({ count }, 'lines could not be written and are lost')))
  return root
}

/** The fields of a line, those of its child logger included. */
function lineOf (bindings: object, first: unknown, text: unknown): Line {
  const given = first instanceof Error ? { err: first } : typeof first === 'object' ? first : null
  const facts: { tenant?: string, code?: string, err?: unknown } = { ...bindings, ...given }
  const code = facts.code ?? (facts.err as { code?: unknown } | null | undefined)?.code
  return {
    text: String(typeof first === 'string' ? first : text),
    tenant: facts.tenant,
    code: code === undefined ? undefined : String(code),
    facts
  }
}

/** Drops the fields that the line has from its child logger anyway. */
function besides (own: object, facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !(name in own)))
}

function allowed (fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  let dropped = 0
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err') kept['err'] = errorFacts(value)
    else if (allowedFields.has(name) && (typeof value !== 'object' || value === null)) {
      kept[name] = typeof value === 'string' ? value.slice(0, maxChars) : value
    } else dropped++
  }
  // Tells a reader who misses a field that fields were left out.
  return dropped === 0 ? kept : { ...kept, dropped }
}

/** The kind of an error and where it comes from; its text only if this code wrote it. */
function errorFacts (error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, syscall } = error as NodeJS.ErrnoException
  // The lines before the first frame repeat the text.
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)).slice(0, maxFrames).join('\n')
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code: code.slice(0, maxChars) } : {}),
    ...defined({ syscall }),
    ...(speakingErrors.has(error.name) ? { message: error.message.slice(0, maxChars) } : {}),
    stack: frames,
    ...(error.cause === undefined || depth >= maxCauses ? {} : { cause: errorFacts(error.cause, depth + 1) })
  }
}
