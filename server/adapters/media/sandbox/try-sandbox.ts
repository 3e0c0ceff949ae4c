// Tests whether media processes can be sandboxed on this machine.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { makeJobFolder } from '#server/adapters/media/job-folder.ts'
import { Killed, startMediaProcess, TimedOut } from '#server/adapters/media/media-process.ts'
import type { ProbeTask } from '#server/adapters/media/task.ts'

/** Time limit of the test, ms. */
const TIMEOUT = 20_000
const MEMORY = 1024 * 1024 * 1024

/** Variables that a media process sets itself; libvips sets the last one. */
const own = new Set(['PATH', 'LANG', 'TMPDIR', 'PWD', 'OLDPWD', 'SHLVL', '_', 'VIPSHOME'])

const probeResult = v.strictObject({
  is: v.literal('probed'),
  readsOthers: v.literal(false),
  changesInput: v.literal(false),
  connects: v.literal(false),
  environment: v.pipe(
    v.array(v.string()),
    v.everyItem((it) => own.has(it) || !(it in process.env)),
  ),
})

/**
 * Runs the media program in bubblewrap. It must read its input and write its output, and must not read a file outside its
 * folder, change its input, reach this process over the network or have variables of this process's environment.
 * @throws when bubblewrap is missing, may not be used here, or permits any of these; `isConclusive` tells these from a busy machine
 */
export async function trySandbox(folders: string): Promise<void> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'todoke-sandbox-'))
  const server = createServer((socket) => socket.destroy())
  try {
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
    const planted = path.join(scratch, 'planted')
    const [secret, given] = [randomUUID(), randomUUID()]
    await writeFile(planted, secret)
    const job = await makeJobFolder(scratch)
    await writeFile(`${job}/in/file`, given)
    const limits = { memory: MEMORY, cpu: 60, hidden: [] }
    const child = startMediaProcess({ sandbox: 'bubblewrap', job, path: folders, ...limits })
    try {
      const task: ProbeTask = { kind: 'probe', input: '/job/in/file', output: '/job/out', planted, port }
      v.parse(probeResult, await child.request(task, TIMEOUT))
    } finally {
      await child.end()
    }
    if ((await readFile(`${job}/out/file`, 'utf8')) !== given) throw new Error('the output is not the input')
  } finally {
    server.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The system has no process, memory or file for now. */
const busyCodes = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EIO'])
/** What bubblewrap, the shell and Node say in the same case. */
const busyTexts = /Resource temporarily unavailable|Cannot allocate memory|Too many open files|out of memory/i

/**
 * Whether a failed test says that no sandbox works here. A test that was late or that the system ended says nothing: a sandbox may
 * work a moment later.
 */
export function isConclusive(error: unknown): boolean {
  if (error instanceof TimedOut || error instanceof Killed) return false
  const { code, message } = error as NodeJS.ErrnoException
  return !busyCodes.has(code ?? '') && !busyTexts.test(message)
}
