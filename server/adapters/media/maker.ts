// Runs media tasks in sandboxed processes, one for each file, with a time limit.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { COPY_BASE, copyWithin } from './copying.ts'
import { knownOf, sandboxHere, type SandboxFinder } from './sandbox/finder.ts'
import { makeJobFolder, putInput, removeJobFolder, takeOutput } from './job-folder.ts'
import { type MediaProcess, startMediaProcess } from './media-process.ts'
import type { MediaSandbox } from './sandbox/command.ts'
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
  /** @throws when the process died, ran out of memory or of time: the task may be retried */
  make(task: MediaTask): Promise<MediaAnswer>
  /** @throws as `make` does */
  makeLadder(task: LadderTask): Promise<LadderMade>
  close(): void
}

type Kind = (MediaTask | LadderTask)['kind']

/** Time limit of each kind of task, ms. */
const TIMEOUTS: Readonly<Record<Kind, number>> = { image: 60_000, video: 15 * 60_000, ladder: 28 * 60_000 }
/** Memory of a process without ffmpeg, bytes: two copies of the largest picture, and its decoder. */
const MEMORY = 2 * 1024 * 1024 * 1024
/** A process that was started for the next picture is ended after this, ms. */
const IDLE = 20_000

export interface MakerOptions {
  readonly timeouts?: Readonly<Record<Kind, number>>
  /** Time limit for copying the packets of a small video, ms. */
  readonly copyBase?: number
  /** Memory of a process without ffmpeg, bytes. */
  readonly memory?: number
  /** PATH of the processes. */
  readonly path?: string
  /** The folder of the processes' folders; by default a temporary one. */
  readonly scratch?: string
  /** Folders that no process may see. */
  readonly hidden?: readonly string[]
  /** By default the one that works on this machine. */
  readonly sandbox?: MediaSandbox
}

/** Refuses all tasks: for production where no sandbox works. The file stays, and is processed once one does. */
export const refusingMediaMaker: MediaMaker = {
  make: async () => ({ is: 'refused', failure: 'no_sandbox' }),
  makeLadder: async () => ({ is: 'ladder', steps: [] }),
  close() {},
}

export function openMediaMaker(options: MakerOptions = {}): MediaMaker {
  const { timeouts = TIMEOUTS, copyBase = COPY_BASE } = options
  const processes = openProcesses(options, timeouts)

  const work = async (task: MediaTask | LadderTask): Promise<unknown> => {
    let child = await processes.take(task.kind)
    try {
      let visible = await prepareTask(child, task)
      let copied: CopyAnswer | undefined
      if (visible.kind === 'video') {
        copied = await copyWithin(child, visible, (await stat(task.input)).size, copyBase)
        if (!child.isAlive()) {
          await processes.end(child)
          child = await processes.take(task.kind)
          visible = await prepareTask(child, task)
        }
      }
      const answer = await child.request({ ...visible, copied }, timeouts[task.kind])
      // The output is read once the process cannot write any more.
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
        // The file was deleted before the task began. Other missing files are those of a maker that is closing.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(task.input))
          return { is: 'refused', failure: 'unreadable' }
        throw error
      }
    },
    makeLadder: async (task) => v.parse(ladderMade, await work(task)),
    close: () => processes.close(),
  }
}

/** Decodes each file as the finder says at that moment: confined, or by `otherwise` where no sandbox works. */
export function openFindingMaker(
  finder: Pick<SandboxFinder, 'find'>,
  { confined, otherwise }: { readonly confined: MediaMaker; readonly otherwise: MediaMaker },
): MediaMaker {
  const makerNow = async (): Promise<MediaMaker> => {
    return knownOf(await finder.find()) === 'bubblewrap' ? confined : otherwise
  }
  return {
    make: async (task) => (await makerNow()).make(task),
    makeLadder: async (task) => (await makerNow()).makeLadder(task),
    close() {
      confined.close()
      otherwise.close()
    },
  }
}

/** Makes a task's files visible to the process. @returns the task with the paths inside the sandbox */
async function prepareTask(
  { job, visibleJob }: MediaProcess,
  task: MediaTask | LadderTask,
): Promise<MediaTask | LadderTask> {
  await putInput(job, task.input, 'file')
  const visible = { input: `${visibleJob}/in/file`, output: `${visibleJob}/out` }
  if (task.kind === 'ladder') {
    await putInput(job, task.main, 'main.m3u8')
    return { ...task, ...visible, main: `${visibleJob}/in/main.m3u8` }
  }
  if (task.thumbnail === undefined) return { ...task, ...visible }
  await putInput(job, task.thumbnail, 'thumbnail')
  return { ...task, ...visible, thumbnail: `${visibleJob}/in/thumbnail` }
}

/** The running processes, and one that is started in advance for the next picture. */
function openProcesses(options: MakerOptions, timeouts: Readonly<Record<Kind, number>>) {
  const { memory = MEMORY, path: folders = process.env['PATH'] ?? '', hidden = [] } = options
  const all = new Set<MediaProcess>()
  let spare: { readonly child: Promise<MediaProcess>; readonly idle: NodeJS.Timeout } | undefined
  let own: Promise<string> | undefined
  const scratchOf = () => options.scratch ?? (own ??= mkdtemp(path.join(tmpdir(), 'todoke-media-')))
  let closed = false

  const start = async (kind: Kind): Promise<MediaProcess> => {
    const job = await makeJobFolder(await scratchOf())
    const sandbox = options.sandbox ?? knownOf(await sandboxHere.find())
    const cpu = Math.max(1, Math.ceil(timeouts[kind] / 1000)) * availableParallelism()
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
  const takeSpare = () => {
    const { child, idle } = spare ?? {}
    spare = undefined
    clearTimeout(idle)
    return child
  }
  const prepare = () => {
    const child = start('image')
    child.catch(() => undefined)
    const idle = setTimeout(() => void takeSpare()?.then(end, () => undefined), IDLE).unref()
    spare = { child, idle }
  }
  return {
    async take(kind: Kind): Promise<MediaProcess> {
      if (kind !== 'image') return start(kind)
      const ready = await takeSpare()?.catch(() => undefined)
      if (!closed && spare === undefined) prepare()
      if (ready?.isAlive()) return ready
      if (ready) await end(ready)
      return start(kind)
    },
    end,
    close() {
      closed = true
      void takeSpare()?.catch(() => undefined)
      for (const child of all) void end(child).catch(() => undefined)
      void own?.then((it) => rm(it, { recursive: true, force: true })).catch(() => undefined)
    },
  }
}
