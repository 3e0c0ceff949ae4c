// A stock Firefox, headless, driven over WebDriver BiDi.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Bidi } from './bidi.ts'
import type { OtherBrowser } from './other-browser.ts'
import { temporaryFolder, until } from '#e2e/rig/network/ports.ts'
import { program } from '#e2e/rig/network/programs.ts'

const prefs = {
  // Without this setting a driven Firefox gets settings that other installations do not have.
  'remote.prefs.recommended': false,
  // The driver may set the file of an input.
  'dom.file.createInChild': true,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.policy.dataSubmissionPolicyBypassNotification': true,
  'termsofuse.bypassNotification': true,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'intl.accept_languages': 'ja',
  // After a kill it starts without the dialog about restoring the session.
  'browser.sessionstore.resume_from_crash': false,
  'toolkit.startup.max_resumed_crashes': -1,
}

interface Node {
  readonly sharedId: string
}

const firefoxProgram = (): string | undefined => program('FIREFOX_PATH', ['firefox-esr', 'firefox'])

export const isFirefoxInstalled = (): boolean => firefoxProgram() !== undefined

export class Firefox implements OtherBrowser {
  readonly #profile = temporaryFolder('firefox')
  #child: ChildProcess | undefined
  #driver: Bidi | undefined
  #page = ''

  /** @param more settings in addition to `prefs` */
  static async launch(more: Record<string, boolean> = {}): Promise<Firefox> {
    const firefox = new Firefox()
    const lines = Object.entries({ ...prefs, ...more }).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    )
    writeFileSync(join(firefox.#profile, 'user.js'), lines.join('\n'))
    await firefox.start()
    return firefox
  }

  async start(): Promise<void> {
    const portFile = join(this.#profile, 'WebDriverBiDiServer.json')
    rmSync(portFile, { force: true })
    const flags = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', this.#profile]
    this.#child = spawn(firefoxProgram() ?? 'firefox', [...flags, 'about:blank'], { stdio: 'ignore' })
    const { ws_host: host, ws_port: port } = await until(
      async () =>
        existsSync(portFile)
          ? (JSON.parse(readFileSync(portFile, 'utf8') || '{}') as { ws_host: string; ws_port: number })
          : undefined,
      'Firefox to listen',
    )
    this.#driver = await Bidi.connect(`ws://${host}:${port}`)
    const { contexts } = await this.#driver.send<{ contexts: { context: string }[] }>(
      'browsingContext.getTree',
      {},
    )
    this.#page = contexts[0]?.context ?? ''
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#page, url, wait: 'interactive' })
  }

  async find(xpath: string): Promise<void> {
    await this.#node(xpath)
  }

  async click(xpath: string): Promise<void> {
    const element = await this.#node(xpath)
    // The driver presses at the coordinates of the element and does not scroll to it.
    await this.#send('script.callFunction', {
      functionDeclaration: '(it) => it.scrollIntoView({ block: "center" })',
      arguments: [element],
      target: { context: this.#page },
      awaitPromise: false,
    })
    await this.#send('input.performActions', {
      context: this.#page,
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    })
  }

  async type(xpath: string, text: string): Promise<void> {
    await this.click(xpath)
    const keys = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#send('input.performActions', {
      context: this.#page,
      actions: [{ type: 'key', id: 'keys', actions: keys }],
    })
  }

  async pick(xpath: string, path: string): Promise<void> {
    await this.#send('input.setFiles', {
      context: this.#page,
      element: await this.#node(xpath),
      files: [path],
    })
  }

  async evaluate<T>(expression: string): Promise<T> {
    const response = await this.#send<{ type: string; result: { value?: string } }>('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((it) => JSON.stringify(it))`,
      target: { context: this.#page },
      awaitPromise: true,
    })
    if (response.type !== 'success') throw new Error(`${expression}: ${JSON.stringify(response)}`)
    return JSON.parse(response.result.value ?? 'null') as T
  }

  /** Hides the page behind a new tab. */
  async hide(): Promise<void> {
    const { context } = await this.#send<{ context: string }>('browsingContext.create', { type: 'tab' })
    await this.#send('browsingContext.activate', { context })
  }

  /** Closes the driver's connection; Firefox continues to run. */
  detach(): void {
    this.#driver?.close()
    this.#driver = undefined
  }

  async discard(): Promise<void> {
    await this.#end('SIGTERM')
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
    this.#driver = undefined
  }

  #send<T>(method: string, params: object): Promise<T> {
    if (!this.#driver) throw new Error('Firefox is not being driven')
    return this.#driver.send<T>(method, params)
  }

  #node(xpath: string): Promise<Node> {
    return until(async () => {
      const locator = { type: 'xpath', value: xpath }
      const { nodes } = await this.#send<{ nodes: Node[] }>('browsingContext.locateNodes', {
        context: this.#page,
        locator,
        maxNodeCount: 1,
      })
      return nodes[0] ? { sharedId: nodes[0].sharedId } : undefined
    }, xpath)
  }
}
