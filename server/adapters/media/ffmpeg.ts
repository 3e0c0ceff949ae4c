// ffmpeg, where this machine has one: bounded in memory and time, and never left running behind us.
import { type ChildProcess, execFile } from 'node:child_process'

export type FfmpegEnd = 'done' | 'failed' | 'late' | 'absent'

/** Longest one run may take, ms: less than this process has, so that it is never left behind. */
const PATIENCE = 14 * 60_000
/** Address space of one run, KiB. */
const MAX_MEMORY = 4 * 1024 * 1024
/** What a shell answers for a program that is not on PATH. */
const NOT_FOUND = 127

/** A limit the system does not know is passed over; `exec` keeps the process id ours to kill. */
const bounded = `ulimit -v ${MAX_MEMORY} 2>/dev/null; exec ffmpeg "$@"`
/** For work nobody waits for. */
const calm = bounded.replace('exec', 'exec nice -n 10')
/** A file people sent may name other files or addresses: only this one is opened. */
const guarded = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-protocol_whitelist', 'file,pipe']

const running = new Set<ChildProcess>()

/** `late`: it was still at work when its time was over. `absent`: there is none on this machine. */
export function ffmpeg(...args: string[]): Promise<FfmpegEnd> {
  return run(bounded, PATIENCE, args)
}

/** Lets everything else go first. @param patience longest it may take, ms */
export function ffmpegCalmly(patience: number, ...args: string[]): Promise<FfmpegEnd> {
  return run(calm, patience, args)
}

let found: Promise<boolean> | undefined

/** Whether this machine has one; asked of it once. */
export function hasFfmpeg(): Promise<boolean> {
  found ??= ffmpeg('-version').then((end) => end === 'done')
  return found
}

function run(shell: string, patience: number, args: readonly string[]): Promise<FfmpegEnd> {
  const options = { maxBuffer: 1024 * 1024, timeout: patience, killSignal: 'SIGKILL' as const }
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', shell, 'ffmpeg', ...guarded, ...args], options, (error) => {
      running.delete(child)
      if (!error) return resolve('done')
      if (error.code === NOT_FOUND || error.code === 'ENOENT') return resolve('absent')
      return resolve(error.killed === true ? 'late' : 'failed')
    })
    running.add(child)
  })
}

/** For the moment this process ends before its work does. */
export function endFfmpeg(): void {
  for (const child of running) child.kill('SIGKILL')
}
