// Stops child processes after a signal or the end of the parent process.
import type { ChildProcess } from 'node:child_process'

const LOOK_MS = 500
/** The parent process, read at once since it may end during the build. */
const parent = process.ppid

function runs(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Stops the children when this process receives a signal. */
export function stopTogether(children: readonly ChildProcess[]): void {
  const stop = (signal: NodeJS.Signals): void => {
    for (const child of children) if (runs(child)) child.kill(signal)
  }
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop('SIGTERM'))
  // A terminal sends Ctrl-C to the whole group, so the children have it already.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) stop('SIGINT')
  })
  // npm signals only the shell that it started, which ends without a signal to this process.
  setInterval(() => {
    if (process.ppid !== parent) stop('SIGTERM')
  }, LOOK_MS).unref()
}
