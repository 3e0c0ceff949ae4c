// ffmpeg, where this machine has one: one demuxer, one input, bounded in memory and time.
import { type ChildProcess, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Demuxer } from './demuxer.ts'
import { MAX_MEMORY } from './sandbox.ts'

export type FfmpegEnd = 'done' | 'failed' | 'late' | 'absent'

export interface FfmpegRun {
  readonly input: string
  readonly demuxer: Pick<Demuxer, 'name' | 'by'>
  /** Options of the input beside its demuxer. */
  readonly before?: readonly string[]
  /** Options and files of the output. */
  readonly output: readonly string[]
}

/** Longest one run may take, ms: less than the media process has, so that ffmpeg ends before it. */
const PATIENCE = 14 * 60_000
/** What a shell answers for a program that is not on PATH. */
const NOT_FOUND = 127

/** A limit the system does not have is ignored; `exec` lets ffmpeg keep the process id that is killed. */
const bounded = `{ ulimit -S -d ${MAX_MEMORY}; ulimit -v ${MAX_MEMORY}; } 2>/dev/null; exec ffmpeg "$@"`
/** For work that may wait for all other work. */
const calm = bounded.replace('exec', 'exec nice -n 10')
const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']

const running = new Set<ChildProcess>()

/** `late`: its time was over before its work. `absent`: this machine has no ffmpeg. */
export function ffmpeg(it: FfmpegRun): Promise<FfmpegEnd> {
  return runWith(bounded, PATIENCE, it)
}

/** At a low priority. @param patience longest it may take, ms */
export function ffmpegCalmly(patience: number, it: FfmpegRun): Promise<FfmpegEnd> {
  return runWith(calm, patience, it)
}

let found: Promise<boolean> | undefined

/** Whether this machine has one; looked for once. */
export function hasFfmpeg(): Promise<boolean> {
  found ??= run(bounded, PATIENCE, ['-version'], 'ignore').then((end) => end === 'done')
  return found
}

/**
 * The arguments that name an input. Some demuxers (DASH, HLS, concat, IMF, SDP) open the files and addresses their
 * input names: ffmpeg may use the demuxer of the recognised kind alone, and one protocol.
 */
export function inputArgs({ input, demuxer: { name, by } }: FfmpegRun): string[] {
  const address = by === 'pipe' ? 'pipe:0' : `file:${input}`
  return ['-protocol_whitelist', by, '-format_whitelist', name, '-f', name, '-i', address]
}

async function runWith(shell: string, patience: number, it: FfmpegRun): Promise<FfmpegEnd> {
  const args = [...quiet, ...(it.before ?? []), ...inputArgs(it), ...it.output]
  if (it.demuxer.by === 'file') return run(shell, patience, args, 'ignore')
  const handle = await open(it.input, 'r')
  try {
    return await run(shell, patience, args, handle.fd)
  } finally {
    await handle.close()
  }
}

function run(
  shell: string,
  patience: number,
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
    }, patience)
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

/** For the moment this process ends before its work does. */
export function endFfmpeg(): void {
  for (const child of running) child.kill('SIGKILL')
}
