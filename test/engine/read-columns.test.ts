import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createTask, EngineError, readColumns } from '../../src/engine/index.ts'
import { writeParquetPart } from '../support/parquet-part.ts'

const limits = { maxRows: 1000, maxColumns: 10, maxCellChars: 100 }

async function file (t: Test, name: string, text: string): Promise<string> {
  const path = join(t.testdir({}), name)
  await writeFile(path, text)
  return path
}

async function failure (work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(() => undefined, (thrown: unknown) => thrown)
  if (error instanceof EngineError) return error
  throw new Error('the call did not fail as it should', { cause: error })
}

t.test('times and numbers of the columns that are asked for, in UTC, and the first wrong cell of each', async (t) => {
  const inputPath = await file(t, 'a.csv',
    'when,other,x,seen\n2025-01-01T01:00:00+01:00,text,1.5,\n2025-01-01T01:00:00.5Z,,,2025-01-02\n,,-2e3,yesterday\n2025-01-01 03:00,,much,tomorrow\n')
  const columns = await readColumns({
    inputPath,
    format: 'csv',
    times: ['when', 'seen', 'never'],
    numbers: ['x', 'y'],
    limits,
    threads: 1
  })
  const start = Date.UTC(2025, 0, 1)
  t.strictSame([...columns.keys()], ['when', 'seen', 'x'])
  t.strictSame(columns.get('when'), {
    values: Float64Array.of(start, start + 3_600_500, NaN, start + 3 * 3_600_000),
    wrong: null
  })
  t.strictSame(columns.get('seen'), {
    values: Float64Array.of(NaN, start + 86_400_000, NaN, NaN),
    wrong: { row: 3, text: 'yesterday' }
  })
  t.strictSame(columns.get('x'), { values: Float64Array.of(1.5, NaN, -2000, NaN), wrong: { row: 4, text: 'much' } })
})

t.test('Parquet has the same columns', async (t) => {
  const csv = 'valid_time,x,y\n2025-01-01T00:00:00,1,\n2025-01-01T01:00:00,2,4\n'
  const csvPath = await file(t, 'a.csv', csv)
  await writeParquetPart(`${csvPath}.parquet`, csv)
  const read = async (inputPath: string, format: 'csv' | 'parquet') =>
    await readColumns({ inputPath, format, times: ['valid_time'], numbers: ['y', 'x'], limits, threads: 2 })
  t.strictSame(await read(`${csvPath}.parquet`, 'parquet'), await read(csvPath, 'csv'))
})

t.test('files that are no tables, too large ones, and a call that was given up', async (t) => {
  const options = { times: ['when'], numbers: ['x'], limits, threads: 1 }
  const csv = await file(t, 'a.csv', 'when,x\n' + '2025-01-01,1\n'.repeat(20))
  t.match(await failure(readColumns({ ...options, inputPath: csv, format: 'parquet' })), { kind: 'content' })
  t.match(await failure(readColumns({ ...options, inputPath: csv, format: 'csv', limits: { ...limits, maxRows: 10 } })),
    { kind: 'content', message: /more than 10 rows/ })
  t.match(await failure(readColumns({ ...options, inputPath: `${csv}-none`, format: 'csv' })), {
    kind: 'failed',
    code: 'pipeline_failed'
  })
  t.match(await failure(readColumns({ ...options, inputPath: csv, format: 'html' as 'csv' })), {
    kind: 'failed',
    message: /wrong request: format: not what the engine takes there/
  })
  const task = createTask()
  task.cancel()
  t.match(await failure(readColumns({ ...options, inputPath: csv, format: 'csv' }, task)), { kind: 'cancelled' })
})
