// Starts the product's server on a temporary data folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '#server/testing/free-port.ts'
import { cpuOf, memoryOf, ownCpuOf, peakDuring } from './memory.ts'

const root = join(import.meta.dirname, '../..')

export interface Product {
  readonly url: string
  /** Process id of the server. */
  readonly pid: number
  /** Folder in which the server stores uploads. */
  readonly uploads: string
  /** A token of the demo creator, and their id. */
  readonly token: string
  readonly creatorId: string
  /** Processor time of the server so far, ms. */
  cpu(): number
  /** The same without its media processes, whose end would make the sum smaller. */
  ownCpu(): number
  /** Heap of a server that was started with `collecting`, after a collection, bytes. */
  memory(): Promise<number>
  /** Waits until the server is idle, so that one upload's processing is not measured with the next. */
  quiet(): Promise<void>
  /** The result of the work, and by how many bytes the server's memory grew at most. */
  peakDuring<T>(work: () => Promise<T>): Promise<{ result: T; peak: number }>
  close(): Promise<void>
}

export const creator = { email: 'creator@demo.todoke.example', password: 'todoke-demo1' }

interface SignedIn {
  readonly token: string
  readonly user: { readonly id: string }
}

async function signInWhenReady(url: string, child: ChildProcess): Promise<SignedIn> {
  for (let n = 0; n < 1800 && child.exitCode === null; n++) {
    const response = await fetch(`${url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(creator),
    }).catch(() => undefined)
    if (response?.ok) return (await response.json()) as SignedIn
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('the server did not start')
}

const POLL_MS = 1000
/** Share of one core below which a process counts as idle. */
const IDLE = 0.05

async function idle(pid: number): Promise<void> {
  for (let before = cpuOf(pid), n = 0; n < 60; n++) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const now = cpuOf(pid)
    if (now - before < IDLE * POLL_MS) return
    before = now
  }
  throw new Error('the server did not become idle')
}

/**
 * Starts the server with additional environment variables, and waits until the demo creator can sign in.
 * @param sourceFolder folder of another version of the product; its own packages are used
 */
export async function openProduct(
  dataDir: string,
  env: Record<string, string> = {},
  sourceFolder = root,
): Promise<Product> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: sourceFolder,
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      SEED_DEMO: '1',
      RATE_LIMITS: '0',
      OVERLOAD_DELAY_MS: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  const { token, user } = await signInWhenReady(url, child)
  return {
    url,
    pid: child.pid ?? 0,
    uploads: join(dataDir, 'uploads'),
    token,
    creatorId: user.id,
    cpu: () => cpuOf(child.pid ?? 0),
    ownCpu: () => ownCpuOf(child.pid ?? 0),
    memory: () => memoryOf(child.pid ?? 0),
    quiet: () => idle(child.pid ?? 0),
    peakDuring: (work) => peakDuring(child.pid ?? 0, work),
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
