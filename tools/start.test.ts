// `npm start` leaves no process behind: stopping any of its processes stops the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'

const told: ChildProcess[] = []
const born: number[] = []

/** A parent as npm makes it: a shell that runs a program that runs a child, which prints its process id. */
async function family(command: string): Promise<{ parent: ChildProcess; child: number }> {
  const parent = spawn('sh', ['-c', command], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  told.push(parent)
  const child = await new Promise<number>((done) => {
    parent.stdout?.setEncoding('utf8').once('data', (text: string) => done(Number(text)))
  })
  born.push(child)
  return { parent, child }
}

const program = `
import { spawn } from 'node:child_process'
import { stopTogether } from './signals.ts'
const child = spawn('sleep', ['60'])
stopTogether([child])
console.log(child.pid)
`

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

afterEach(() => {
  for (const it of told.splice(0)) it.kill('SIGKILL')
  for (const it of born.splice(0)) if (runs(it)) process.kill(it, 'SIGKILL')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} to the program reaches its child`, async () => {
    const { parent, child } = await family(`exec node --input-type=module-typescript -e "${program}"`)
    parent.kill(signal)
    await expect.poll(() => runs(child), { timeout: 5000 }).toBe(false)
  })

test('a shell that is ended above the program takes the child along', async () => {
  const { parent, child } = await family(`node --input-type=module-typescript -e "${program}"; true`)
  parent.kill('SIGTERM')
  await expect.poll(() => runs(child), { timeout: 5000 }).toBe(false)
})
