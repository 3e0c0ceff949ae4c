// Starts a media process, sends it tasks, and ends it with its children.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandOf, jobOf, type MediaCommand } from './sandbox.ts'

export interface MediaProcess {
  /** Its folder on this machine, and the same folder inside the sandbox. */
  readonly job: string
  readonly visibleJob: string
  isAlive(): boolean
  /**
   * Sends a task and resolves with its result.
   * @param timeout time limit, ms
   * @throws {TimedOut} when the process was ended because it exceeded the limit
   * @throws when it ended by itself without a result
   */
  request(task: object, timeout: number): Promise<unknown>
  /** Ends the process and its children. */
  end(): Promise<void>
}

/** The process was ended because it exceeded its time limit. */
export class TimedOut extends Error {}

/** Characters of the end of the process's error output that an error quotes. */
const MAX_STDERR = 2000

export function startMediaProcess(command: MediaCommand): MediaProcess {
  const { file, args } = commandOf(command)
  const visibleJob = jobOf(command)
  const child = spawn(file, args, {
    // Its own process group, so that its children end with it.
    detached: true,
    // No variable of the server's environment, which has keys and passwords.
    env: { PATH: command.path, LANG: 'C.UTF-8', TMPDIR: `${visibleJob}/out` },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR)
  })
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const alive = () => failure === undefined && child.exitCode === null && child.signalCode === null
  return {
    job: command.job,
    visibleJob,
    isAlive: () => alive() && child.connected,
    request: (task, timeout) =>
      failure ? Promise.reject(failure) : request(child, { task, timeout }, () => stderr.trim()),
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

interface TimedTask {
  readonly task: object
  readonly timeout: number
}

function request(child: ChildProcess, { task, timeout }: TimedTask, stderr: () => string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      kill(child)
    }, timeout)
    const done = () => {
      clearTimeout(timer)
      child.off('message', onMessage).off('close', onClose).off('error', onError)
    }
    const onMessage = (answer: unknown) => {
      done()
      resolve(answer)
    }
    const onError = (error: Error) => {
      done()
      reject(error)
    }
    const onClose = (code: number | null, signal: string | null) => {
      const message = `media child ended with ${signal ?? code}: ${stderr()}`
      onError(isTimedOut ? new TimedOut(message) : new Error(message))
    }
    child.once('message', onMessage).once('close', onClose).once('error', onError)
    child.send(task, (error) => error && child.exitCode === null && child.signalCode === null && kill(child))
  })
}
