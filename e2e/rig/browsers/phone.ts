// A phone-sized Chromium with a profile on disk: it can be killed with SIGKILL and started again as it was.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { temporaryFolder, until } from '#e2e/rig/network/ports.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The address bar's suggestions are a page of their own, with a process: half of what a start costs. Of two such lists
  // the last one counts, so it begins with the features that Playwright disables.
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

export interface PhoneOptions {
  /** A camera that shows a made picture: its use allowed, or refused. */
  readonly camera?: 'allowed' | 'refused'
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { width: number; height: number }
  /** The key of a certificate that it accepts although no authority has signed it: SHA-256 of the public key, base64. */
  readonly trustedKey?: string
  /** Switches of its JavaScript engine. */
  readonly jsFlags?: string
  /** The profile it begins with; an empty one when none is named. */
  readonly profile?: string
}

/** Without the second flag the permission prompt stays open, which a browser without a window takes for a denial. */
function cameraFlags(camera: PhoneOptions['camera']): string[] {
  if (!camera) return []
  const device = '--use-fake-device-for-media-stream'
  return camera === 'allowed' ? [device, '--use-fake-ui-for-media-stream'] : [device]
}

/**
 * Processes of the browser that uses a profile: the one without `--type=` is its main process. Chromium may have
 * rewritten its arguments, separated by spaces.
 */
function mainProcess(profile: string): number | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split(/[\0 ]/)
      if (command.includes(`--user-data-dir=${profile}`) && !command.some((it) => it.startsWith('--type=')))
        return Number(name)
    } catch {
      // It ended while we looked.
    }
  }
  return undefined
}

/** Settings that last for a context's whole life, or longer in a browser: they cannot be reset reliably. */
const lasting = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
] as const
const timing = ['install', 'setFixedTime', 'setSystemTime'] as const

/** Reports each call of these methods before it is made. */
function watch<T extends object>(it: T, names: readonly (keyof T)[], tell: () => void): void {
  for (const name of names) {
    const method: unknown = it[name]
    if (typeof method !== 'function') throw new Error(`there is no ${String(name)}`)
    const value = (...given: unknown[]): unknown => {
      tell()
      return Reflect.apply(method, it, given)
    }
    Object.defineProperty(it, name, { value })
  }
}

export class Phone {
  readonly profile = temporaryFolder('phone')
  /** How long it waits for what a story does, ms. */
  readonly patience = 60_000
  readonly #options: PhoneOptions
  #context: BrowserContext | undefined
  #marked = false
  #debug: ((page: Page) => Promise<CDPSession>) | undefined

  private constructor(options: PhoneOptions) {
    this.#options = options
    if (options.profile) cpSync(options.profile, this.profile, { recursive: true })
  }

  static async on(options: PhoneOptions = {}): Promise<Phone> {
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

  /** It was changed irreversibly, or has ended: it cannot be used after this story. */
  get isMarked(): boolean {
    return this.#marked || !this.isRunning
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
    this.#context.setDefaultTimeout(this.patience)
    // Dismissed for good: it would cover what follows a first comment, like or follow.
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

  /** The debugger for the rig itself, which leaves things as they were. */
  async debugged<T>(page: Page, work: (debug: CDPSession) => Promise<T>): Promise<T> {
    if (!this.#debug) throw new Error('the browser is not running')
    const debug = await this.#debug(page)
    const result = await work(debug)
    await debug.detach()
    return result
  }

  /** The battery falls out. */
  async kill(): Promise<void> {
    const context = this.context
    const pid = mainProcess(this.profile)
    if (!pid) throw new Error('the browser has no process')
    const gone = new Promise((done) => context.once('close', done))
    process.kill(pid, 'SIGKILL')
    await gone
    await until(async () => (mainProcess(this.profile) ? undefined : true), 'the browser to be gone')
    this.#context = undefined
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    this.#context = undefined
  }

  /** Deletes its profile. A browser that is not used again need not end in order: that takes up to half a minute. */
  async discard(): Promise<void> {
    if (this.isRunning) await this.kill()
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 })
  }

  /** A connection to the browser's debugger. */
  cdp(page: Page = this.page): Promise<CDPSession> {
    return this.context.newCDPSession(page)
  }
}
