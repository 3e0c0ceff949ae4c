// Busy processes beside a test run.
import { spawn } from 'node:child_process'

/** Starts processes that use all the time they are given, until the returned function is called or this process ends. */
export function startBusyProcesses(count: number): () => void {
  // Without a parent they would be busy for ever: each looks for its own once a second.
  const script = `const parent = process.ppid
    for (;;) {
      for (const end = Date.now() + 1000; Date.now() < end; );
      if (process.ppid !== parent) process.exit()
    }`
  const all = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', script], { stdio: 'ignore' }),
  )
  return () => {
    for (const it of all) it.kill('SIGKILL')
  }
}
