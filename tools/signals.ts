// Passes a stop to child processes, from a signal or an ended parent.
import type { ChildProcess } from 'node:child_process'

const LOOK_MS = 500
/** The process that started this one; read at once, for it may end during the build of the app. */
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
  // npm sends a signal to the shell between us, which ends without a signal to us.
  setInterval(() => {
    if (process.ppid !== parent) stop('SIGTERM')
  }, LOOK_MS).unref()
}
