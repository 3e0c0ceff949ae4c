// Busy processes beside a test run.
import { spawn } from 'node:child_process'

/** Starts processes that use all the time they are given, until the returned function is called or the run ends. */
export function startBusyProcesses(count: number): () => void {
  const all = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  )
  return () => {
    for (const it of all) it.kill('SIGKILL')
  }
}
