// WebKitGTK in the window of `webkit-window.gjs` on a virtual display, driven over WebDriver.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { OtherBrowser } from './other-browser.ts'
import { freePort, temporaryFolder, until } from '#e2e/rig/network/ports.ts'
import { program } from '#e2e/rig/network/programs.ts'
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'

const WINDOW = join(import.meta.dirname, 'webkit-window.gjs')
/** The property with the id of an element in replies of WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

const driverProgram = (): string | undefined => program('WEBKIT_DRIVER_PATH', ['WebKitWebDriver'])
const windowProgram = (): string | undefined => program('GJS_PATH', ['gjs'])
const displayProgram = (): string | undefined => program('XVFB_PATH', ['Xvfb'])

/** Whether everything needed is installed: the programs, and WebKit's bindings for gjs. */
export function isWebkitInstalled(): boolean {
  const gjs = windowProgram()
  if (!gjs || !driverProgram() || !displayProgram()) return false
  return spawnSync(gjs, ['-c', "imports.gi.versions.WebKit2 = '4.1'; imports.gi.WebKit2"]).status === 0
}

async function openDisplay(): Promise<{ child: ChildProcess; name: string }> {
  const child = spawn(displayProgram() ?? 'Xvfb', ['-displayfd', '3', '-screen', '0', '800x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [output] = (await once(child.stdio[3] ?? child, 'data')) as [Buffer]
  return { child, name: `:${output.toString().trim()}` }
}

/** The process of the window that uses a profile. */
function windowOf(profile: string): number | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(WINDOW)) continue
      const hasProfile = readFileSync(`/proc/${name}/environ`, 'utf8')
        .split('\0')
        .includes(`PROFILE=${profile}`)
      if (hasProfile) return Number(name)
    } catch {
      // The process ended during the read.
    }
  }
  return undefined
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = once(child, 'exit')
  child.kill('SIGKILL')
  await end
}

export class WebKit implements OtherBrowser {
  readonly #profile = temporaryFolder('webkit')
  #display: { child: ChildProcess; name: string }
  #driver: ChildProcess | undefined
  #session = ''

  private constructor(display: { child: ChildProcess; name: string }) {
    this.#display = display
  }

  static async launch(): Promise<WebKit> {
    const webkit = new WebKit(await openDisplay())
    await webkit.start().catch(async (error: unknown) => {
      await webkit.discard()
      throw error
    })
    return webkit
  }

  async start(): Promise<void> {
    const port = await freePort()
    this.#driver = spawn(driverProgram() ?? 'WebKitWebDriver', ['-p', String(port)], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: this.#display.name, PROFILE: this.#profile, NO_AT_BRIDGE: '1' },
    })
    const address = `http://127.0.0.1:${port}/session`
    const options = { binary: windowProgram(), args: ['-m', WINDOW] }
    const body = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } }
    await until(
      async () => ((await fetch(address).catch(() => undefined)) ? true : undefined),
      'WebKitWebDriver',
    )
    const { sessionId } = await post<{ sessionId: string }>(address, body)
    this.#session = `${address}/${sessionId}`
  }

  async kill(): Promise<void> {
    const pid = windowOf(this.#profile)
    if (!pid) throw new Error('WebKit has no window')
    process.kill(pid, 'SIGKILL')
    await until(async () => (windowOf(this.#profile) ? undefined : true), 'the process of the window to end')
    if (this.#driver) await killed(this.#driver)
  }

  async goto(url: string): Promise<void> {
    await post(`${this.#session}/url`, { url })
  }

  async find(xpath: string): Promise<void> {
    await this.#element(xpath)
  }

  async click(xpath: string): Promise<void> {
    await post(`${await this.#element(xpath)}/click`, {})
  }

  async type(xpath: string, text: string): Promise<void> {
    await post(`${await this.#element(xpath)}/value`, { text })
  }

  async pick(xpath: string, path: string): Promise<void> {
    await post(`${await this.#element(xpath)}/value`, { text: path })
  }

  async evaluate<T>(expression: string): Promise<T> {
    const script = `const done = arguments[0]
      Promise.resolve(${expression}).then((it) => done({ it }), (error) => done({ error: String(error) }))`
    const result = await post<{ it: T; error?: string }>(`${this.#session}/execute/async`, {
      script,
      args: [],
    })
    if (result.error) throw new Error(`${expression}: ${result.error}`)
    return result.it
  }

  async discard(): Promise<void> {
    const pid = windowOf(this.#profile)
    if (pid) process.kill(pid, 'SIGKILL')
    if (this.#driver) await killed(this.#driver)
    await killed(this.#display.child)
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  #element(xpath: string): Promise<string> {
    return until(async () => {
      const found = await post<Record<string, string>[]>(`${this.#session}/elements`, {
        using: 'xpath',
        value: xpath,
      })
      const id = found[0]?.[ELEMENT]
      return id ? `${this.#session}/element/${id}` : undefined
    }, xpath)
  }
}

async function post<T>(url: string, body: object): Promise<T> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const sent = fetch(url, { method: 'POST', body: JSON.stringify(body), signal })
  const response = await sent.catch((error: unknown) => {
    throw new Error(`WebKitWebDriver did not answer ${url} ${JSON.stringify(body)}`, { cause: error })
  })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${url}: ${value.error} ${value.message}`)
  return value
}
