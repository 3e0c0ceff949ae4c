// Runs ffmpeg, if installed, with one demuxer and one input, limited in memory and time.
import { type ChildProcess, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Demuxer } from './demuxer.ts'
import { MAX_MEMORY } from './sandbox/command.ts'

export type FfmpegEnd = 'done' | 'failed' | 'late' | 'absent'

export interface FfmpegRun {
  readonly input: string
  readonly demuxer: Pick<Demuxer, 'name' | 'by'>
  /** Further options of the input. */
  readonly before?: readonly string[]
  /** Options and files of the output. */
  readonly output: readonly string[]
}

/** Time limit of one run, ms: less than that of the media process, so that ffmpeg ends before it. */
const TIMEOUT = 14 * 60_000
/** Exit code of a shell for a program that is not on PATH. */
const NOT_FOUND = 127

/** Unsupported limits are ignored; with `exec`, ffmpeg has the process id that is killed. */
const bounded = `{ ulimit -S -d ${MAX_MEMORY}; ulimit -v ${MAX_MEMORY}; } 2>/dev/null; exec ffmpeg "$@"`
/** The same at a low priority. */
const lowPriority = bounded.replace('exec', 'exec nice -n 10')
const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']

const running = new Set<ChildProcess>()

/** Runs ffmpeg. `late`: it exceeded its time limit, ms. `absent`: this machine has no ffmpeg. */
export function ffmpeg(it: FfmpegRun, timeout = TIMEOUT): Promise<FfmpegEnd> {
  return runWith(bounded, timeout, it)
}

/** Runs ffmpeg at a low priority. @param timeout time limit, ms */
export function ffmpegCalmly(timeout: number, it: FfmpegRun): Promise<FfmpegEnd> {
  return runWith(lowPriority, timeout, it)
}

let found: Promise<boolean> | undefined

/** Whether this machine has ffmpeg; checked once. */
export function hasFfmpeg(): Promise<boolean> {
  found ??= run(bounded, TIMEOUT, ['-version'], 'ignore').then((end) => end === 'done')
  return found
}

/** Whether this machine's ffmpeg has these filters, many of which are optional parts: tried on one generated frame. */
export async function hasFilters(filters: string): Promise<boolean> {
  const source = ['-f', 'lavfi', '-i', 'color=s=64x64:d=0.04,format=yuv420p10le']
  const args = [...quiet, ...source, '-vf', filters, '-frames:v', '1', '-f', 'null', '-']
  return (await run(bounded, TIMEOUT, args, 'ignore')) === 'done'
}

/**
 * The arguments of an input. Some demuxers (DASH, HLS, concat, IMF, SDP) open files and addresses that their input names,
 * so ffmpeg may use only the demuxer of the recognised kind, and one protocol.
 */
export function inputArgs({ input, demuxer: { name, by } }: FfmpegRun): string[] {
  const address = by === 'pipe' ? 'pipe:0' : `file:${input}`
  return ['-protocol_whitelist', by, '-format_whitelist', name, '-f', name, '-i', address]
}

async function runWith(shell: string, timeout: number, it: FfmpegRun): Promise<FfmpegEnd> {
  const args = [...quiet, ...(it.before ?? []), ...inputArgs(it), ...it.output]
  if (it.demuxer.by === 'file') return run(shell, timeout, args, 'ignore')
  const handle = await open(it.input, 'r')
  try {
    return await run(shell, timeout, args, handle.fd)
  } finally {
    await handle.close()
  }
}

function run(
  shell: string,
  timeout: number,
  args: readonly string[],
  stdin: number | 'ignore',
): Promise<FfmpegEnd> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', shell, 'ffmpeg', ...args], {
      stdio: [stdin, 'ignore', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
    })
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, timeout)
    const end = (it: FfmpegEnd) => {
      clearTimeout(timer)
      running.delete(child)
      resolve(it)
    }
    child.once('error', () => end('absent'))
    child.once('close', (code) => {
      if (code === 0) return end('done')
      if (code === NOT_FOUND) return end('absent')
      return end(late ? 'late' : 'failed')
    })
    running.add(child)
  })
}

/** Ends all runs; called when this process ends before its work is done. */
export function endFfmpeg(): void {
  for (const child of running) child.kill('SIGKILL')
}
