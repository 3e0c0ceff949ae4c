// Stopping any process of `npm start` stops the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'

const parents: ChildProcess[] = []
const children: number[] = []

/** Starts a shell that runs a program with a child process, as npm does. */
async function startWithChild(command: string): Promise<{ parent: ChildProcess; child: number }> {
  const parent = spawn('sh', ['-c', command], {
    cwd: import.meta.dirname,
    // Outside the run of this test, as on a system whose runs have no watchdog.
    env: { ...process.env, TODOKE_RUN: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  parents.push(parent)
  const child = await new Promise<number>((done) => {
    parent.stdout?.setEncoding('utf8').once('data', (text: string) => done(Number(text)))
  })
  children.push(child)
  return { parent, child }
}

const program = `
import { spawn } from 'node:child_process'
import { stopTogether } from './signals.ts'
const child = spawn('sleep', ['60'])
stopTogether([child])
console.log(child.pid)
`

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

afterEach(() => {
  for (const it of parents.splice(0)) it.kill('SIGKILL')
  for (const it of children.splice(0)) if (isRunning(it)) process.kill(it, 'SIGKILL')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} to the program reaches its child`, async () => {
    const { parent, child } = await startWithChild(`exec node --input-type=module-typescript -e "${program}"`)
    parent.kill(signal)
    await expect.poll(() => isRunning(child), { timeout: 5000 }).toBe(false)
  })

test('the end of the shell above the program ends its child', async () => {
  const { parent, child } = await startWithChild(`node --input-type=module-typescript -e "${program}"; true`)
  parent.kill('SIGTERM')
  await expect.poll(() => isRunning(child), { timeout: 5000 }).toBe(false)
})
