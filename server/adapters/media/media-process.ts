// Starts a media process, sends it tasks, and ends it with its children.
import { type ChildProcess, spawn } from 'node:child_process'
import { commandOf, jobOf, type MediaCommand } from './sandbox/command.ts'

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

/** The kernel or another process has killed it, as for want of memory. */
export class Killed extends Error {}

/** Characters of the end of the process's error output that an error quotes. */
const MAX_STDERR = 2000

/**
 * How long the pipes of a process that has exited may stay open, ms. A sandbox that is killed while it is set up can leave a process, which
 * has them until it ends.
 */
const PIPES = 1000

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
  const ended = endOf(child)
  const alive = () => failure === undefined && child.exitCode === null && child.signalCode === null
  return {
    job: command.job,
    visibleJob,
    isAlive: () => alive() && child.connected,
    async request(task, timeout) {
      if (failure) throw failure
      return request(child, { task, timeout, ended }, () => stderr)
    },
    async end() {
      if (!alive()) return
      kill(child)
      await ended
    },
  }
}

/** Resolves once a process has ended and its output is read, or is not read any longer; also if it could not be started. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('close', () => done()).once('error', () => done())
    child.once('exit', () =>
      setTimeout(() => {
        child.stderr?.destroy()
        if (child.connected) child.disconnect()
        done()
      }, PIPES).unref(),
    )
  })
}

/** How a process has ended. */
const descriptionOf = ({ exitCode, signalCode }: ChildProcess, stderr: string): string =>
  `media child ended with ${signalCode ?? exitCode}: ${stderr.trim()}`

/** Codes with which bubblewrap ends when its child was killed by SIGKILL or SIGTERM. */
const codesOfKilled: ReadonlySet<number | null> = new Set([137, 143])

const wasKilled = ({ exitCode, signalCode }: ChildProcess): boolean =>
  signalCode === 'SIGKILL' || signalCode === 'SIGTERM' || codesOfKilled.has(exitCode)

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
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
}

function request(
  child: ChildProcess,
  { task, timeout, ended }: TimedTask,
  stderr: () => string,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      kill(child)
    }, timeout)
    const done = () => {
      clearTimeout(timer)
      child.off('message', onMessage).off('error', onError)
    }
    const onMessage = (answer: unknown) => {
      done()
      resolve(answer)
    }
    const onError = (error: Error) => {
      done()
      reject(error)
    }
    const onEnd = () => {
      const message = descriptionOf(child, stderr())
      if (isTimedOut) onError(new TimedOut(message))
      else onError(wasKilled(child) ? new Killed(message) : new Error(message))
    }
    child.once('message', onMessage).once('error', onError)
    void ended.then(onEnd)
    child.send(task, (error) => error && child.exitCode === null && child.signalCode === null && kill(child))
  })
}
