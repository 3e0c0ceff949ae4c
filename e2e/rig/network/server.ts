// The real server as a child process, which stories kill and restart.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { cacheFolder, freePort, temporaryFolder, until } from './ports.ts'

const root = join(import.meta.dirname, '../../..')
/** Skips compiling the database (WebAssembly) for speed: half of the processor time of a start, too much for a short life. */
const FAST_START = '--liftoff-only'

/** Node options that set the clock ahead by this many days. */
function clockAhead(days: number): string[] {
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
  #output: string[] = []

  private constructor(dataDir: string, port: number) {
    this.dataDir = dataDir
    this.port = port
  }

  /** Starts a server on a data folder, and waits until it is healthy. */
  static async launch(dataDir: string): Promise<Server> {
    const server = new Server(dataDir, await freePort())
    await server.start()
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Everything that the server has printed, over all its starts. */
  get output(): string {
    return this.#output.join('')
  }

  /**
   * @param daysLater days by which its clock is ahead, so that deadlines have passed
   * @param settings further environment variables
   */
  async start(daysLater = 0, settings: Record<string, string> = {}): Promise<void> {
    const options = [FAST_START, ...clockAhead(daysLater)]
    const child = spawn(process.execPath, [...options, 'server/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // Caches the compiled sources, since servers are started many times.
        NODE_COMPILE_CACHE: join(cacheFolder(), 'todoke-compiled'),
        NODE_ENV: 'development',
        PORT: String(this.port),
        HOST: '127.0.0.1',
        DATA_DIR: this.dataDir,
        DATABASE_URL: '',
        SEED_DEMO: '1',
        RATE_LIMITS: '0',
        OVERLOAD_DELAY_MS: '0',
        LOG_LEVEL: 'info',
        // The stories also run on a machine with a full disk.
        MIN_FREE_DISK_BYTES: '0',
        ...settings,
      },
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.#output.push(text))
    await this.#healthy(child).catch(async (error: unknown) => {
      // Ends the server, since no other code has its id and this process would not exit while it runs.
      await this.kill()
      throw error
    })
  }

  async #healthy(child: ChildProcess): Promise<void> {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${this.output}`)
      const health = await fetch(`${this.url}/api/health`).catch(() => undefined)
      return health?.ok ? true : undefined
    }, 'the server to be healthy')
  }

  /** Kills the server with SIGKILL, as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the server, copies its data folder and starts it again. */
  async backUp(): Promise<string> {
    const backup = temporaryFolder('backup')
    await this.stop()
    cpSync(this.dataDir, backup, { recursive: true })
    await this.start()
    return backup
  }

  /** Kills the server and starts it on the data of a backup. */
  async restore(backup: string): Promise<void> {
    await this.kill()
    rmSync(this.dataDir, { recursive: true, force: true })
    cpSync(backup, this.dataDir, { recursive: true })
    await this.start()
  }

  /** Stops the server, changes its database and starts it again with these settings. @returns the rows of the statement */
  async change(
    sql: string,
    values: readonly unknown[],
    settings: Record<string, string> = {},
  ): Promise<readonly object[]> {
    await this.stop()
    const database = await PGlite.create(join(this.dataDir, 'pglite'))
    const { rows } = await database.query<object>(sql, [...values])
    await database.close()
    await this.start(0, settings)
    return rows
  }

  /** Stops the server with SIGTERM. @returns the exit code */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
    return child.exitCode
  }
}
