import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runPython } from '../peers/python.ts'
import { buildExample } from '../rust-example.ts'

/** One training run, ours or the peer's. */
export interface Training {
  trees: number
  leaves: number
  /** Bins and trees; reading is not timed. */
  wall_s: number
  peak_mib: number
  /** Mean over the test rows: half the squared error, or minus the logarithm of the probability. */
  test_loss: number
}

/** What crates/trees says about one model and some rows. */
export interface Explaining {
  rows: number
  trees: number
  leaves: number
  file_bytes: number
  read_us: number
  cpu_us_a_row: number
  wall_us_a_row: number
  additivity_error: number
  /** From the contributions given; null without. */
  largest_difference: number | null
  peak_mib: number
}

/** Runs an example program of crates/trees that prints a line of JSON. */
export async function runExample<T> (example: string, args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(buildExample('tabcast-trees', example), args)
  return JSON.parse(stdout) as T
}

export function trainOwn (folder: string, loss: string, settings: string[]): Promise<Training> {
  return runExample<Training>('boost_speed', [folder, loss, ...settings])
}

export function trainPeer (python: string, folder: string, objective: string, rounds: number,
  settings: string[] = []): Promise<Training> {
  return runPython<Training>(python, [join('bench', 'peers', 'lightgbm_train.py'), folder, objective, String(rounds),
    '2', ...settings])
}
