// A phone-sized Chromium with a profile on disk: it can be killed with SIGKILL and started again as it was.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { temporaryFolder, until } from './ports.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface PhoneOptions {
  /** A camera that shows a made picture: its use allowed, or refused. */
  readonly camera?: 'allowed' | 'refused'
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { width: number; height: number }
  /** The profile it begins with; an empty one when none is named. */
  readonly profile?: string
}

/** Without the second flag nobody answers the question, which a browser without a window takes for a no. */
function cameraFlags(camera: PhoneOptions['camera']): string[] {
  if (!camera) return []
  const device = '--use-fake-device-for-media-stream'
  return camera === 'allowed' ? [device, '--use-fake-ui-for-media-stream'] : [device]
}

/** Processes of the browser that uses a profile: the one without `--type=` is its main process. */
function mainProcess(profile: string): number | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (command.includes(`--user-data-dir=${profile}`) && !command.some((it) => it.startsWith('--type=')))
        return Number(name)
    } catch {
      // It ended while we looked.
    }
  }
  return undefined
}

export class Phone {
  readonly profile = temporaryFolder('phone')
  readonly #options: PhoneOptions
  #context: BrowserContext | undefined

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

  async start(): Promise<void> {
    this.#context = await chromium.launchPersistentContext(this.profile, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [...flags, ...cameraFlags(this.#options.camera)],
      viewport: this.#options.viewport ?? { width: 390, height: 844 },
      isMobile: !this.#options.viewport,
      hasTouch: !this.#options.viewport,
      locale: 'ja-JP',
      timezoneId: 'Asia/Tokyo',
      colorScheme: this.#options.colorScheme ?? 'light',
      reducedMotion: 'reduce',
    })
    this.#context.setDefaultTimeout(20_000)
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

  /** Forgets its profile. What nobody will open again need not end in order: that takes up to half a minute. */
  async discard(): Promise<void> {
    if (this.isRunning) await this.kill()
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 })
  }

  /** A connection to the browser's debugger. */
  cdp(page: Page = this.page): Promise<CDPSession> {
    return this.context.newCDPSession(page)
  }
}
