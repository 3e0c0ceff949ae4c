// The real server as a child process: started, killed with SIGKILL, started again on the same data and port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { freePort, temporaryFolder, until } from './ports.ts'

/** A busy small machine takes its time to open a database, and more to make the demo's pictures, ms. */
const START_MS = 240_000

const root = join(import.meta.dirname, '../../..')

/** Options by which Node's clock is ahead by this many days. */
function laterBy(days: number): string[] {
  if (days === 0) return []
  const script = `const now = Date.now.bind(Date)
    const later = () => now() + ${days * 24 * 3600 * 1000}
    globalThis.Date = class extends Date {
      constructor(...from) { from.length === 0 ? super(later()) : super(...from) }
      static now() { return later() }
    }`
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`]
}

export class Server {
  readonly dataDir: string
  readonly port: number
  #child: ChildProcess | undefined
  #said: string[] = []

  private constructor(dataDir: string, port: number) {
    this.dataDir = dataDir
    this.port = port
  }

  /** A server on a data folder, listening and healthy. */
  static async on(dataDir: string): Promise<Server> {
    const server = new Server(dataDir, await freePort())
    await server.start()
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Everything it printed, of all its lives. */
  get said(): string {
    return this.#said.join('')
  }

  /**
   * @param daysLater how far its clock is ahead: deadlines in between have passed
   * @param settings further environment variables
   */
  async start(daysLater = 0, settings: Record<string, string> = {}): Promise<void> {
    const child = spawn(process.execPath, [...laterBy(daysLater), 'server/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // A server is started many times: its sources are read and compiled once.
        NODE_COMPILE_CACHE: join(tmpdir(), 'todoke-compiled'),
        NODE_ENV: 'development',
        PORT: String(this.port),
        HOST: '127.0.0.1',
        DATA_DIR: this.dataDir,
        DATABASE_URL: '',
        SEED_DEMO: '1',
        RATE_LIMITS: '0',
        LOG_LEVEL: 'info',
        // However full the machine is that the stories run on.
        MIN_FREE_DISK_BYTES: '0',
        ...settings,
      },
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.#said.push(text))
    await this.#healthy(child).catch(async (error: unknown) => {
      // No other code has its id, and the process that started it would not end while it runs.
      await this.kill()
      throw error
    })
  }

  async #healthy(child: ChildProcess): Promise<void> {
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${this.said}`)
        const health = await fetch(`${this.url}/api/health`).catch(() => undefined)
        return health?.ok ? true : undefined
      },
      'the server to be healthy',
      START_MS,
    )
  }

  /** The power cut: no warning, no last words. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Copies the data folder while the server is not running; it runs again after this. */
  async backUp(): Promise<string> {
    const backup = temporaryFolder('backup')
    await this.stop()
    cpSync(this.dataDir, backup, { recursive: true })
    await this.start()
    return backup
  }

  /** Kills the server and starts it on what was backed up. */
  async restore(backup: string): Promise<void> {
    await this.kill()
    rmSync(this.dataDir, { recursive: true, force: true })
    cpSync(backup, this.dataDir, { recursive: true })
    await this.start()
  }

  /** Changes the database while the server is not running; it runs again after this. */
  async change(sql: string, values: readonly unknown[]): Promise<void> {
    await this.stop()
    const database = await PGlite.create(join(this.dataDir, 'pglite'))
    await database.query(sql, [...values])
    await database.close()
    await this.start()
  }

  /** The polite way; the exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return child.exitCode
  }
}
