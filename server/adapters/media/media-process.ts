// One media process: started, given one task, and ended with all its children.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandOf, jobOf, type MediaCommand } from './sandbox.ts'

export interface MediaProcess {
  /** Its folder on this machine, and as the process sees it. */
  readonly job: string
  readonly seenJob: string
  isAlive(): boolean
  /**
   * @param patience longest it may take, ms
   * @throws {TooLate} when the process was ended because its time was over
   * @throws when it ended by itself without an answer
   */
  ask(task: object, patience: number): Promise<unknown>
  /** Resolves when it and its children have ended. */
  end(): Promise<void>
}

/** The process was ended because its time was over. */
export class TooLate extends Error {}

/** Characters of the process's last words that an error repeats. */
const LAST_WORDS = 2000

export function startMediaProcess(command: MediaCommand): MediaProcess {
  const { file, args } = commandOf(command)
  const seenJob = jobOf(command)
  const child = spawn(file, args, {
    // A group of its own, so that what it started ends with it.
    detached: true,
    // No variable of the server's environment, which has keys and passwords.
    env: { PATH: command.path, LANG: 'C.UTF-8', TMPDIR: `${seenJob}/out` },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const alive = () => failure === undefined && child.exitCode === null && child.signalCode === null
  return {
    job: command.job,
    seenJob,
    isAlive: () => alive() && child.connected,
    ask: (task, patience) =>
      failure ? Promise.reject(failure) : ask(child, { task, patience }, () => words.trim()),
    async end() {
      if (!alive()) return
      const ended = once(child, 'close').catch(() => undefined)
      kill(child)
      await ended
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

interface Asked {
  readonly task: object
  readonly patience: number
}

function ask(child: ChildProcess, { task, patience }: Asked, words: () => string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      kill(child)
    }, patience)
    const done = () => {
      clearTimeout(timer)
      child.off('message', answered).off('close', died).off('error', failed)
    }
    const answered = (answer: unknown) => {
      done()
      resolve(answer)
    }
    const failed = (error: Error) => {
      done()
      reject(error)
    }
    const died = (code: number | null, signal: string | null) => {
      const message = `media child ended with ${signal ?? code}: ${words()}`
      failed(isLate ? new TooLate(message) : new Error(message))
    }
    child.once('message', answered).once('close', died).once('error', failed)
    child.send(task, (error) => error && child.exitCode === null && child.signalCode === null && kill(child))
  })
}
