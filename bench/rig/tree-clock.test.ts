// The clock of descendants counts those that a signal ends together with their parent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openTreeClock } from './memory.ts'

/** Uses this much processor time, writes a line, and waits for its end. */
const BUSY_MS = 300
const busy = `
  while (process.cpuUsage().user + process.cpuUsage().system < ${BUSY_MS * 1000});
  console.log('done'); setInterval(() => {}, 1000)`

test('the time of a process that is killed with its parent is still counted', async () => {
  const clock = openTreeClock(process.pid)
  try {
    // The shell stays as the parent, since a command follows.
    const parent = spawn('/bin/sh', ['-c', '"$0" -e "$1"; true', process.execPath, busy], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    await expect.poll(() => clock.read()).toBeGreaterThanOrEqual(BUSY_MS - 20)
    process.kill(-(parent.pid ?? 0), 'SIGKILL')
    await once(parent, 'close')
    expect(clock.read()).toBeGreaterThanOrEqual(BUSY_MS - 20)
  } finally {
    clock.close()
  }
})
