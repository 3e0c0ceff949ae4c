// Starts a plain Chromium as a person does, controlled over its debugging port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=ja',
  '--remote-debugging-port=0',
]

function program(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const names = ['chromium', 'google-chrome']
  const found = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((it) => existsSync(it))
  return process.env['CHROMIUM_PATH'] ?? found ?? chromium.executablePath()
}

async function debuggingPort(profile: string): Promise<string> {
  const file = join(profile, 'DevToolsActivePort')
  for (let n = 0; n < 300; n++) {
    const [port] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (port) return port
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the browser opened no debugging port')
}

export interface RunningBrowser {
  readonly pid: number
  readonly page: Page
  /** Number of its debugging port. */
  readonly port: number
  /** Detaches from the browser, which continues: an attached driver slows requests by a third. */
  detach(): Promise<void>
  close(): Promise<void>
  /** Kills the process at once, as an empty battery does. @returns its profile */
  kill(): Promise<string>
}

const freshProfile = (): string => mkdtempSync(join(tmpdir(), 'todoke-bench-browser-'))

/** Opens a browser with one tab and a fresh profile, or the profile of an earlier browser. */
export async function openBrowser(profile = freshProfile()): Promise<RunningBrowser> {
  rmSync(join(profile, 'DevToolsActivePort'), { force: true })
  const child: ChildProcess = spawn(program(), [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: 'ignore',
  })
  const port = await debuggingPort(profile)
  const browser: Browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const page = browser.contexts()[0]?.pages()[0]
  if (!page || !child.pid) throw new Error('the browser has no tab')
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    pid: child.pid,
    page,
    port: Number(port),
    detach: () => browser.close(),
    async close() {
      await end('SIGTERM')
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
    async kill() {
      await end('SIGKILL')
      return profile
    },
  }
}
