// Passes on the wish to stop to child processes, whoever had it: a signal, or a parent that is gone.
import type { ChildProcess } from 'node:child_process'

const LOOK_MS = 500
/** Who started this process; asked at once, for it may end while the app is built. */
const parent = process.ppid

function runs(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Stops the children when this process is told to stop. */
export function stopTogether(children: readonly ChildProcess[]): void {
  const stop = (signal: NodeJS.Signals): void => {
    for (const child of children) if (runs(child)) child.kill(signal)
  }
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop('SIGTERM'))
  // A terminal sends Ctrl-C to the whole group, so the children have it already.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) stop('SIGINT')
  })
  // npm hands a signal to the shell between us, which ends without telling us.
  setInterval(() => {
    if (process.ppid !== parent) stop('SIGTERM')
  }, LOOK_MS).unref()
}
