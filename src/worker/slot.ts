import { explainContentError } from '../domain/content-error.ts'
import type { TaskFailure } from '../domain/task-failure.ts'
import { createTask, EngineError, inspect, preview, type EngineTask } from '../engine/index.ts'
import { startGuard } from '../platform/liveness/guard.ts'
import { CovariateInputError } from '../sources/covariates/covariate-input-error.ts'
import { boundResult, boundWarnings } from './bound-result.ts'
import { UnusableModel } from './check-model.ts'
import { runCheck } from './check-pipeline.ts'
import { runConvert } from './convert-pipeline.ts'
import { runFineTune } from './fine-tune-pipeline.ts'
import { runForecast } from './forecast-pipeline.ts'
import { runGather } from './gather-pipeline.ts'
import { OutputTooLarge } from './output-too-large.ts'
import { giveWay, goFirst } from './priority.ts'
import { runProfile } from './profile-pipeline.ts'
import { Questions } from './questions.ts'
import { replyFault } from './reply-bound.ts'
import { runJoin, runPlan, runShard } from './shards/stage-pipelines.ts'
import type { CheckOutcome, FromSlot, PipelineResult, SlotTask, TaskResults, ToSlot } from './slot-messages.ts'
import { runTabular } from './tabular-pipeline.ts'

/*
 * Entry point of a slot process: one task at a time, each a single call into the engine. It has no credentials, and its
 * messages carry paths and figures, never rows.
 */
const progressMs = 100
const orphanCheckMs = 250

giveWay(Number(process.argv[2]))
goFirst()
// A main thread that is busy with a task does not notice the worker's end; this thread does.
startGuard({ parentPid: process.ppid, tickMs: orphanCheckMs })

let current: { id: number, engineTask: EngineTask, stop: AbortController } | undefined
const questions = new Questions(send)

function send (message: FromSlot): void {
  process.send?.(message)
}

async function runTask (id: number, task: SlotTask, engineTask: EngineTask,
  signal: AbortSignal): Promise<TaskResults[SlotTask['kind']]> {
  switch (task.kind) {
    case 'forecast':
      return boundResult(await runForecast(task, engineTask))
    case 'plan':
      return withBoundResult(await runPlan(task, engineTask))
    case 'shard':
      return await runShard(task, engineTask)
    case 'join':
      return withBoundResult(await runJoin(task, engineTask))
    case 'fine_tune':
      return boundResult(await runFineTune(task, engineTask))
    case 'tabular':
      return boundResult(await runTabular(task, engineTask))
    case 'gather':
      return await runGather(task, engineTask, questions.of(id), signal)
    case 'check':
      return withBoundWarnings(await runCheck(task, engineTask))
    case 'preview':
      return await preview(task, engineTask)
    case 'profile':
      return await runProfile(task, engineTask)
    case 'inspect':
      return await inspect(task, engineTask)
    case 'convert':
      return await runConvert(task, engineTask)
  }
}

function withBoundResult<T extends object> (outcome: T | { result: PipelineResult }): T | { result: PipelineResult } {
  return 'result' in outcome ? { ...outcome, result: boundResult(outcome.result) } : outcome
}

function withBoundWarnings (outcome: CheckOutcome): CheckOutcome {
  return { ...outcome, warnings: boundWarnings(outcome.warnings) }
}

async function run (id: number, task: SlotTask): Promise<void> {
  const engineTask = createTask()
  const stop = new AbortController()
  current = { id, engineTask, stop }
  const before = process.cpuUsage()
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const poll = setInterval(() => send({ type: 'progress', id, ...engineTask.progress() }), progressMs)
  try {
    const result = await runTask(id, task, engineTask, stop.signal)
    const content = replyFault(task.kind, result)
    if (content === null) send({ type: 'done', id, cpuMs: cpuMs(), result })
    else {send({
        type: 'failed',
        id,
        cpuMs: cpuMs(),
        failure: { code: 'validation_error', message: content.message, content }
      })}
  } catch (error) {
    if (stop.signal.aborted || (error instanceof EngineError && error.kind === 'cancelled')) {
      send({ type: 'cancelled', id, cpuMs: cpuMs() })
    } else send({ type: 'failed', id, cpuMs: cpuMs(), failure: describeFailure(error) })
  } finally {
    clearInterval(poll)
    current = undefined
  }
}

function describeFailure (error: unknown): TaskFailure {
  if (error instanceof EngineError) {
    const message = error.content === undefined ? error.message : explainContentError(error.content)
    return { code: error.code, message, content: error.content ?? null }
  }
  if (error instanceof CovariateInputError) return { code: 'validation_error', message: error.text, content: null }
  if (error instanceof UnusableModel) {
    return { code: 'pipeline_failed', message: error.message, content: null, suggestion: error.suggestion }
  }
  if (error instanceof OutputTooLarge) return { code: 'dataset_too_large', message: error.message, content: null }
  return { code: 'pipeline_failed', message: `The computation failed: ${(error as Error).message}`, content: null }
}

process.on('message', (message: ToSlot) => {
  if (message.type === 'answer') return questions.answer(message.ask, message.answer)
  if (message.type === 'cancel') {
    if (current?.id !== message.id) return
    current.engineTask.cancel()
    current.stop.abort(new Error('cancelled'))
    return
  }
  run(message.id, message.task).catch((error: unknown) => {
    process.stderr.write(`slot: ${String(error)}\n`)
    process.exit(1)
  })
})

// A normal exit would wait for the engine's threads, and nobody is left to take their result.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// A signal to the process group is for the worker to answer; it ends its slots when it has drained.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

send({ type: 'ready' })
