// A temporary Redis for tests, if the program is installed (Debian: redis-server).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRedis, type RedisClient } from '#server/adapters/redis.ts'
import { freePort } from './free-port.ts'

const program = process.env['REDIS_SERVER_PATH'] ?? 'redis-server'
/** With the real clock: the library of `npm run test:deep -- stories-late` hangs with the allocator of Redis. */
const env = { ...process.env, LD_PRELOAD: '' }

export interface RedisServer {
  readonly url: string
  /** Ends the process by SIGKILL. */
  kill(): Promise<void>
  /** Starts a new process on the same port, without data. */
  start(): Promise<void>
  /** Stops the process from replying; its connections stay open. */
  freeze(): void
  thaw(): void
  discard(): Promise<void>
}

/** Whether tests on Redis can run on this machine; otherwise they are skipped. */
export function redisAvailable(): boolean {
  return spawnSync(program, ['--version'], { env }).status === 0
}

/** Settings of a Redis that has no sharded pub/sub, as before version 7. */
export const withoutShardedTopics = ['SPUBLISH', 'SSUBSCRIBE', 'SUNSUBSCRIBE'].flatMap((it) => [
  '--rename-command',
  it,
  `old${it}`,
])

/** Longest wait for a command, ms. */
const PATIENCE = 30_000

/**
 * Opens a connection for tests of what is stored in Redis. The server would count alone after 300 ms, which a busy machine
 * may need for one command.
 */
export const openPatientRedis = (url: string): RedisClient => openRedis(url, PATIENCE)

/** @param more further settings of the program */
export async function startRedis(more: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-redis-'))
  const port = await freePort()
  let child: ChildProcess
  const start = async (): Promise<void> => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    child = spawn(program, [...settings, ...more], { stdio: ['ignore', 'pipe', 'ignore'], env })
    const started = child
    await new Promise<void>((resolve, reject) => {
      started.stdout?.on('data', (text) => /Ready to accept connections/.test(String(text)) && resolve())
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    })
  }
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async discard() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Sentinel {
  readonly port: number
  discard(): Promise<void>
}

/** A sentinel that alone decides within a second that a master is gone. @param master the port of the master */
export async function startSentinel(name: string, master: number): Promise<Sentinel> {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-sentinel-'))
  const port = await freePort()
  const file = path.join(folder, 'sentinel.conf')
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${name} 127.0.0.1 ${master} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 5000`,
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  const child = spawn(program, [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'ignore'], env })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => /\+monitor master/.test(String(text)) && resolve())
    child.once('exit', (code) => reject(new Error(`the sentinel ended with ${code}`)))
  })
  return {
    port,
    async discard() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
