// Interrupted runs leave no process and no folder behind (Linux).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nameOf } from './members.ts'
import { readProcess, readProcesses } from './processes.ts'

/** A process that ignores SIGTERM, with a child in a session of its own, without the environment of the run. */
const stubborn = `
process.on('SIGTERM', () => {})
const { pid } = require('node:child_process').spawn('sleep', ['600'], { detached: true, env: {}, stdio: 'ignore' })
console.log(JSON.stringify([process.pid, pid]))
setInterval(() => {}, 1000)
`

const command = `
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { beginRun } from './begin.ts'
await beginRun()
mkdtempSync(tmpdir() + '/files-')
if (process.argv[1] === 'work') {
  spawn(process.execPath, ['-e', process.argv[2]], { stdio: ['ignore', 'inherit', 'inherit'] })
  setInterval(() => {}, 1000)
}
`

const parent = mkdtempSync(join(tmpdir(), 'todoke-runs-'))
const started: string[] = []
afterAll(() => {
  for (const it of started.filter((name) => isAlive(name))) process.kill(Number.parseInt(it, 10), 'SIGKILL')
  rmSync(parent, { recursive: true, force: true })
})

interface Tree {
  readonly top: ChildProcess
  /** Names of the processes that the command started. */
  readonly members: readonly string[]
  readonly watchdog: number
}

function begin(...args: string[]): ChildProcess {
  // The processes of the test are of no run, so that their run is one of its own.
  const { TODOKE_RUN: _, ...env } = process.env
  return spawn(process.execPath, ['--input-type=module-typescript', '-e', command, ...args], {
    cwd: import.meta.dirname,
    env: { ...env, TMPDIR: parent },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function beginTree(): Promise<Tree> {
  const top = begin('work', stubborn)
  const [line] = (await once(top.stdout?.setEncoding('utf8') ?? top, 'data')) as [string]
  const all = readProcesses()
  const members = (JSON.parse(line) as number[]).map((pid) => {
    const it = readProcess(pid)
    if (!it) throw new Error('a process of the command has ended')
    return nameOf(it)
  })
  const watchdog = all.find((it) => it.parent === top.pid && it.command.includes('watchdog.ts'))
  if (!watchdog) throw new Error('the run has no watchdog')
  started.push(...members, nameOf(watchdog), ...all.filter((it) => it.pid === top.pid).map(nameOf))
  return { top, members, watchdog: watchdog.pid }
}

/** @param name of a process */
function isAlive(name: string): boolean {
  const it = readProcess(Number.parseInt(name, 10))
  return it !== undefined && nameOf(it) === name
}

const foldersOf = (top: ChildProcess) =>
  readdirSync(parent).filter((it) => it.startsWith(`todoke-run-${top.pid}-`))

async function kill(top: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(top, 'exit')
  top.kill(signal)
  await exited
}

describe.skipIf(process.platform !== 'linux')('a run', () => {
  /** A run beside those that end. */
  let other: Tree
  beforeAll(async () => {
    other = await beginTree()
  })
  afterEach(() => {
    expect(other.members.filter(isAlive)).toEqual(other.members)
    expect(foldersOf(other.top)).toHaveLength(1)
  })

  test('leaves nothing, by whichever signal its first process ends, and another run continues', async () => {
    const trees = await Promise.all(
      (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const).map(async (signal) => ({
        signal,
        ...(await beginTree()),
      })),
    )
    await Promise.all(trees.map((it) => kill(it.top, it.signal)))
    const left = () =>
      trees.filter((it) => it.members.some(isAlive) || foldersOf(it.top).length > 0).map((it) => it.signal)
    await expect.poll(left).toEqual([])
  })

  test('whose first process and watchdog are killed is ended by the next run', async () => {
    const tree = await beginTree()
    process.kill(tree.watchdog, 'SIGKILL')
    await kill(tree.top, 'SIGKILL')
    expect(tree.members.filter(isAlive)).toEqual(tree.members)
    expect(foldersOf(tree.top)).toHaveLength(1)
    expect(await once(begin('nothing'), 'exit')).toEqual([0, null])
    expect(tree.members.filter(isAlive)).toEqual([])
    expect(foldersOf(tree.top)).toEqual([])
  })

  test('that ends by itself removes its folder', async () => {
    const top = begin('nothing')
    expect(await once(top, 'exit')).toEqual([0, null])
    expect(foldersOf(top)).toEqual([])
  })
})
