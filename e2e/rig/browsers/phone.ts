// A phone-sized Chromium with a profile on disk, which can be killed and started again.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { temporaryFolder, until } from '#e2e/rig/network/ports.ts'
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The suggestions of the address bar (the last two features) are a page with a process of its own, half of the time of
  // a start. Only the last flag of this name has an effect, so the list includes the features that Playwright disables.
  `--disable-features=${[
    'AimEnabled',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxPopup',
  ].join(',')}`,
]

/** Largest number of warnings and errors that are kept, the last ones. */
const MAX_LOGGED = 30

export interface PhoneOptions {
  /** A camera with a generated picture, whose use is allowed or refused. */
  readonly camera?: 'allowed' | 'refused'
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { width: number; height: number }
  /** Public key of a self-signed certificate to accept: SHA-256, base64. */
  readonly trustedKey?: string
  /** Flags of the JavaScript engine. */
  readonly jsFlags?: string
  /** Profile to copy at the start; empty by default. */
  readonly profile?: string
}

/** Without the second flag the permission prompt is not answered, which headless Chromium treats as a denial. */
function cameraFlags(camera: PhoneOptions['camera']): string[] {
  if (!camera) return []
  const device = '--use-fake-device-for-media-stream'
  return camera === 'allowed' ? [device, '--use-fake-ui-for-media-stream'] : [device]
}

/**
 * Finds the main process of the browser with a profile: the one without `--type=`. Chromium may have rewritten its
 * arguments, separated by spaces.
 */
function mainProcess(profile: string): number | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split(/[\0 ]/)
      if (command.includes(`--user-data-dir=${profile}`) && !command.some((it) => it.startsWith('--type=')))
        return Number(name)
    } catch {
      // The process ended during the read.
    }
  }
  return undefined
}

/** Methods whose effect lasts until the context or the browser ends, since it cannot be reset reliably. */
const lasting = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
] as const
const timing = ['install', 'setFixedTime', 'setSystemTime'] as const

/** Calls `onCall` before each call of these methods. */
function watch<T extends object>(it: T, names: readonly (keyof T)[], onCall: () => void): void {
  for (const name of names) {
    const method: unknown = it[name]
    if (typeof method !== 'function') throw new Error(`no method is named ${String(name)}`)
    const value = (...args: unknown[]): unknown => {
      onCall()
      return Reflect.apply(method, it, args)
    }
    Object.defineProperty(it, name, { value })
  }
}

export class Phone {
  readonly profile = temporaryFolder('phone')
  /** Default timeout of actions and navigations, ms. */
  readonly timeout = DEADLINE_MS
  readonly #options: PhoneOptions
  #context: BrowserContext | undefined
  #marked = false
  #logged: string[] = []
  #debug: ((page: Page) => Promise<CDPSession>) | undefined

  private constructor(options: PhoneOptions) {
    this.#options = options
    if (options.profile) cpSync(options.profile, this.profile, { recursive: true })
  }

  static async launch(options: PhoneOptions = {}): Promise<Phone> {
    const phone = new Phone(options)
    await phone.start()
    return phone
  }

  get isRunning(): boolean {
    return this.#context !== undefined
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('the browser is not running')
    return this.#context
  }

  /** The first tab. */
  get page(): Page {
    const [first] = this.context.pages()
    if (!first) throw new Error('no tab is open')
    return first
  }

  /** Whether it was changed irreversibly or has ended, so that no other story may use it. */
  get isMarked(): boolean {
    return this.#marked || !this.isRunning
  }

  /** The last warnings and errors of pages and workers, also of a browser that was killed. */
  get logged(): readonly string[] {
    return this.#logged
  }

  /** Empties the log, and listens again after all listeners were removed. */
  restartLog(): void {
    this.#logged = []
    this.#listen()
  }

  #listen(): void {
    this.context.on('console', (it) => {
      if (it.type() === 'warning' || it.type() === 'error')
        this.#logged = [...this.#logged, it.text()].slice(-MAX_LOGGED)
    })
  }

  async start(): Promise<void> {
    this.#context = await chromium.launchPersistentContext(this.profile, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        ...flags,
        ...cameraFlags(this.#options.camera),
        ...(this.#options.trustedKey
          ? [`--ignore-certificate-errors-spki-list=${this.#options.trustedKey}`]
          : []),
        ...(this.#options.jsFlags ? [`--js-flags=${this.#options.jsFlags}`] : []),
      ],
      viewport: this.#options.viewport ?? { width: 390, height: 844 },
      isMobile: !this.#options.viewport,
      hasTouch: !this.#options.viewport,
      locale: 'ja-JP',
      timezoneId: 'Asia/Tokyo',
      colorScheme: this.#options.colorScheme ?? 'light',
      reducedMotion: 'reduce',
    })
    this.#context.setDefaultTimeout(this.timeout)
    this.#listen()
    // Dismisses the offer of pushes, which would cover the page after a first comment, like or follow.
    await this.#context.addInitScript(`{
      try { localStorage.setItem('todoke.push-offer', '{"times":2,"at":0}') } catch {}
    }`)
    const context = this.#context
    const mark = (): void => void (this.#marked = true)
    context.once('close', mark)
    this.#debug = context.newCDPSession.bind(context)
    watch(context, lasting, mark)
    watch(context.clock, timing, mark)
  }

  /** Runs `work` with a debugger session of the rig, which does not mark the browser. */
  async debugged<T>(page: Page, work: (debug: CDPSession) => Promise<T>): Promise<T> {
    if (!this.#debug) throw new Error('the browser is not running')
    const debug = await this.#debug(page)
    const result = await work(debug)
    await debug.detach()
    return result
  }

  /** Kills the browser with SIGKILL, as an empty battery would. */
  async kill(): Promise<void> {
    const context = this.context
    const pid = mainProcess(this.profile)
    if (!pid) throw new Error('the browser has no process')
    const closed = new Promise((done) => context.once('close', done))
    process.kill(pid, 'SIGKILL')
    await closed
    await until(async () => (mainProcess(this.profile) ? undefined : true), 'the browser process to end')
    this.#context = undefined
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    this.#context = undefined
  }

  /** Kills the browser and deletes its profile: a regular close takes up to half a minute. */
  async discard(): Promise<void> {
    if (this.isRunning) await this.kill()
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Opens a debugger session of a page, for a story. */
  cdp(page: Page = this.page): Promise<CDPSession> {
    return this.context.newCDPSession(page)
  }
}
