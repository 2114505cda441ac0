import type { Config } from '../config.ts'

/**
 * The worker process: resolves when it has been asked to stop (SIGTERM, SIGINT, IPC disconnect) and has finished or
 * given back its jobs.
 */
export declare function runWorker (config: Config): Promise<void>
