// Hands media work to processes: a new one for each file, confined, with a time it must be done in.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { COPY_BASE, copyWithin } from './copying.ts'
import { findSandbox } from './find-sandbox.ts'
import { makeJobFolder, putInput, removeJobFolder, takeOutput } from './job-folder.ts'
import { type MediaProcess, startMediaProcess } from './media-process.ts'
import type { MediaSandbox } from './sandbox.ts'
import {
  type CopyAnswer,
  type LadderMade,
  ladderMade,
  type LadderTask,
  type MediaAnswer,
  mediaAnswer,
  type MediaTask,
} from './task.ts'

export interface MediaMaker {
  /** @throws when the process died, ran out of memory or of time: the work may be tried again */
  make(task: MediaTask): Promise<MediaAnswer>
  /** @throws as `make` does */
  makeLadder(task: LadderTask): Promise<LadderMade>
  close(): void
}

type Kind = (MediaTask | LadderTask)['kind']

/** Longest each kind of work may take, ms. */
const PATIENCE: Readonly<Record<Kind, number>> = { image: 60_000, video: 15 * 60_000, ladder: 28 * 60_000 }
/** Memory of a process beside ffmpeg, bytes: two copies of the largest picture and what its decoder needs. */
const MEMORY = 2 * 1024 * 1024 * 1024
/** A process that was started ahead of the next picture is ended after this, ms. */
const IDLE = 20_000

export interface MakerOptions {
  readonly patience?: Readonly<Record<Kind, number>>
  /** Time to copy a video's packets that a file of any size has, ms. */
  readonly copyBase?: number
  /** Memory of a process beside ffmpeg, bytes. */
  readonly memory?: number
  /** Where the processes look for programs. */
  readonly path?: string
  /** The folder of the processes' folders; without it, one of its own among temporary files. */
  readonly scratch?: string
  /** Folders no process may see. */
  readonly hidden?: readonly string[]
  /** Without it, what works on this machine. */
  readonly sandbox?: MediaSandbox
}

/** Refuses all work: for production where no sandbox works. The file stays, and its author may ask again. */
export const refusingMediaMaker: MediaMaker = {
  make: async () => ({ is: 'refused', failure: 'no_sandbox' }),
  makeLadder: async () => ({ is: 'ladder', steps: [] }),
  close() {},
}

export function openMediaMaker(options: MakerOptions = {}): MediaMaker {
  const { patience = PATIENCE, copyBase = COPY_BASE } = options
  const processes = openProcesses(options, patience)

  const work = async (task: MediaTask | LadderTask): Promise<unknown> => {
    let child = await processes.take(task.kind)
    try {
      let seen = await hand(child, task)
      let copied: CopyAnswer | undefined
      if (seen.kind === 'video') {
        copied = await copyWithin(child, seen, (await stat(task.input)).size, copyBase)
        if (!child.isAlive()) {
          await processes.end(child)
          child = await processes.take(task.kind)
          seen = await hand(child, task)
        }
      }
      const answer = await child.ask({ ...seen, copied }, patience[task.kind])
      // What it has written is looked at when it cannot write any more.
      await child.end()
      await takeOutput(child.job, task.output, task.kind === 'ladder' ? 'ladder' : 'media')
      return answer
    } finally {
      await processes.end(child)
    }
  }

  return {
    async make(task) {
      try {
        return v.parse(mediaAnswer, await work(task))
      } catch (error) {
        // The file went away before the work began.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          return { is: 'refused', failure: 'unreadable' }
        throw error
      }
    },
    makeLadder: async (task) => v.parse(ladderMade, await work(task)),
    close: () => processes.close(),
  }
}

/** Makes a task's files visible to the process, and names them as it sees them. */
async function hand(
  { job, seenJob }: MediaProcess,
  task: MediaTask | LadderTask,
): Promise<MediaTask | LadderTask> {
  await putInput(job, task.input, 'file')
  const seen = { input: `${seenJob}/in/file`, output: `${seenJob}/out` }
  if (task.kind === 'ladder') {
    await putInput(job, task.main, 'main.m3u8')
    return { ...task, ...seen, main: `${seenJob}/in/main.m3u8` }
  }
  if (task.thumbnail === undefined) return { ...task, ...seen }
  await putInput(job, task.thumbnail, 'thumbnail')
  return { ...task, ...seen, thumbnail: `${seenJob}/in/thumbnail` }
}

/** The running processes, and one that is started ahead of the next picture. */
function openProcesses(options: MakerOptions, patience: Readonly<Record<Kind, number>>) {
  const { memory = MEMORY, path: folders = process.env['PATH'] ?? '', hidden = [] } = options
  const all = new Set<MediaProcess>()
  let spare: { readonly child: Promise<MediaProcess>; readonly idle: NodeJS.Timeout } | undefined
  let own: Promise<string> | undefined
  const scratchOf = () => options.scratch ?? (own ??= mkdtemp(path.join(tmpdir(), 'todoke-media-')))
  let closed = false

  const start = async (kind: Kind): Promise<MediaProcess> => {
    const job = await makeJobFolder(await scratchOf())
    const sandbox = options.sandbox ?? (await findSandbox())
    const cpu = Math.max(1, Math.ceil(patience[kind] / 1000)) * availableParallelism()
    if (closed) throw new Error('the media maker is closed')
    const child = startMediaProcess({ sandbox, job, path: folders, memory, cpu, hidden })
    all.add(child)
    return child
  }
  const end = async (child: MediaProcess) => {
    await child.end()
    all.delete(child)
    await removeJobFolder(child.job)
  }
  const letGo = () => {
    const { child, idle } = spare ?? {}
    spare = undefined
    clearTimeout(idle)
    return child
  }
  const prepare = () => {
    const child = start('image')
    child.catch(() => undefined)
    const idle = setTimeout(() => void letGo()?.then(end, () => undefined), IDLE).unref()
    spare = { child, idle }
  }
  return {
    async take(kind: Kind): Promise<MediaProcess> {
      if (kind !== 'image') return start(kind)
      const ready = await letGo()?.catch(() => undefined)
      if (!closed && spare === undefined) prepare()
      if (ready?.isAlive()) return ready
      if (ready) await end(ready)
      return start(kind)
    },
    end,
    close() {
      closed = true
      void letGo()?.catch(() => undefined)
      for (const child of all) void end(child).catch(() => undefined)
      void own?.then((it) => rm(it, { recursive: true, force: true })).catch(() => undefined)
    },
  }
}
