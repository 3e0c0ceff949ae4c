// Hands media work to child processes: a few at once, each with a time it must be done in.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LadderMade, LadderTask, MediaAnswer, MediaTask } from './task.ts'

export interface MediaMaker {
  /** @throws when the child died, ran out of memory or of time: the work may be tried again */
  make(task: MediaTask): Promise<MediaAnswer>
  /** @throws as `make` does */
  makeLadder(task: LadderTask): Promise<LadderMade>
  close(): void
}

/** Longest each kind of work may take, ms. */
const PATIENCE = { image: 60_000, video: 15 * 60_000, ladder: 28 * 60_000 }
/** Resident memory a child may have, bytes. */
const MEMORY = 1536 * 1024 * 1024
/** A child without work is let go after this, ms. */
const IDLE = 20_000
const program = fileURLToPath(new URL('child.ts', import.meta.url))

interface Child {
  readonly process: ChildProcess
  idle: NodeJS.Timeout | undefined
}

export interface MakerLimits {
  readonly patience?: Readonly<Record<(MediaTask | LadderTask)['kind'], number>>
  /** Resident memory, bytes. */
  readonly memory?: number
  /** Where the children look for programs. */
  readonly path?: string
}

export function childMediaMaker(limits: MakerLimits = {}): MediaMaker {
  const { patience = PATIENCE, memory = MEMORY, path } = limits
  const free: Child[] = []
  const all = new Set<ChildProcess>()

  const start = (): Child => {
    const child = fork(program, [String(memory)], {
      // A group of its own, so that what it started ends with it.
      detached: true,
      // Nothing of the server's environment: it holds keys and passwords.
      env: { PATH: path ?? process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
      execArgv: ['--max-old-space-size=512'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    all.add(child)
    child.once('exit', () => all.delete(child))
    return { process: child, idle: undefined }
  }
  const take = (): Child => {
    for (let child = free.pop(); child; child = free.pop()) {
      clearTimeout(child.idle)
      if (child.process.connected) return child
    }
    return start()
  }
  const giveBack = (child: Child) => {
    // It may have ended by itself meanwhile.
    child.idle = setTimeout(() => child.process.connected && child.process.disconnect(), IDLE).unref()
    free.push(child)
  }

  const work = async <Answer>(task: MediaTask | LadderTask): Promise<Answer> => {
    const child = take()
    const answer = await ask(child.process, task, patience[task.kind])
    giveBack(child)
    return answer as Answer
  }

  return {
    make: (task) => work<MediaAnswer>(task),
    makeLadder: (task) => work<LadderMade>(task),
    close() {
      for (const child of all) kill(child)
    },
  }
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function ask(child: ChildProcess, task: MediaTask | LadderTask, patience: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => kill(child), patience)
    const done = () => {
      clearTimeout(late)
      child.off('message', answered).off('exit', died)
    }
    const answered = (answer: unknown) => {
      done()
      resolve(answer)
    }
    const died = (code: number | null, signal: string | null) => {
      done()
      reject(new Error(`media child ended with ${signal ?? code}`))
    }
    child.once('message', answered).once('exit', died)
    child.send(task)
  })
}
