// Stops child processes after a signal or the end of the parent process.
import type { ChildProcess } from 'node:child_process'

const POLL_MS = 500
/** The parent process, read at the start since it may end during the build. */
const parent = process.ppid

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Stops the children when this process receives a signal. */
export function stopTogether(children: readonly ChildProcess[]): void {
  const stop = (signal: NodeJS.Signals): void => {
    for (const child of children) if (isRunning(child)) child.kill(signal)
  }
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop('SIGTERM'))
  // A terminal sends Ctrl-C to the whole group, so the children have it already.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) stop('SIGINT')
  })
  // npm signals only its shell, which ends without a signal to this process. The watchdog of a run sends one.
  if (process.env['TODOKE_RUN'] !== undefined) return
  const poll = setInterval(() => {
    if (process.ppid === parent) return
    // Once: a second signal would end requests that the server still answers.
    clearInterval(poll)
    stop('SIGTERM')
  }, POLL_MS)
  poll.unref()
}
