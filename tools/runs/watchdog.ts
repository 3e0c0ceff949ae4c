// A process beside a run: ends what the run leaves, however its first process ends.
import { endRun } from './end.ts'
import { isOver, WATCHED, type Watched } from './members.ts'
import { readProcess } from './processes.ts'

const POLL_MS = 500
/** How long the first process has to end in order after npm has ended, ms. */
const GRACE_MS = 10_000

function exists(name: string): boolean {
  const it = readProcess(Number.parseInt(name, 10))
  return it !== undefined && !isOver(name, [it])
}

function stopFirst(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Watches until the first process has ended, which closes the pipe to this one. */
function watch(watched: Watched): void {
  const poll = setInterval(() => {
    if (watched.above.every(exists)) return
    clearInterval(poll)
    stopFirst(watched.pid, 'SIGTERM')
    if (!watched.isServer) setTimeout(() => stopFirst(watched.pid, 'SIGKILL'), GRACE_MS).unref()
  }, POLL_MS)
  process.stdin.resume().once('close', () => {
    clearInterval(poll)
    void endRun(watched)
  })
}

const text = process.env[WATCHED]
if (text !== undefined) watch(JSON.parse(text) as Watched)
