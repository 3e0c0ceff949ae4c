// Pushes in a browser without a push service: subscribing is stood in for, and what our server sends is handed to the worker.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import type { Phone } from '#e2e/rig/browsers/phone.ts'
import { until } from '#e2e/rig/network/ports.ts'

interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** The push service of server/testing, as a separate program. Servers started afterwards trust it. */
export class PushService {
  readonly arrived: string[] = []
  devices: readonly Subscription[] = []
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(): Promise<PushService> {
    const file = join(import.meta.dirname, '../../../server/testing/clients/push-service.ts')
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const service = new PushService(child)
    createInterface(child.stdout).on('line', (line) => {
      const it = JSON.parse(line) as {
        arrived?: { text: string }
        origin: string
        certificateFile: string
        devices: readonly Subscription[]
      }
      if (it.arrived) return void service.arrived.push(it.arrived.text)
      process.env['PUSH_STAND_IN'] = it.origin
      process.env['NODE_EXTRA_CA_CERTS'] = it.certificateFile
      service.devices = it.devices
    })
    await until(async () => (service.devices.length > 0 ? true : undefined), 'the push service')
    return service
  }

  /** The next message after these many, decrypted. */
  next(count: number): Promise<string> {
    return until(async () => this.arrived[count], 'a push at the push service')
  }

  stop(): void {
    delete process.env['PUSH_STAND_IN']
    delete process.env['NODE_EXTRA_CA_CERTS']
    this.#child.kill()
  }
}

/** From the next page on this browser subscribes to our push service, as to its own. */
export async function subscribesTo(page: Page, device: Subscription): Promise<void> {
  await page.addInitScript(`{
    const device = ${JSON.stringify(device)}
    const name = 'rig.push-key'
    const made = (key) => ({
      options: { userVisibleOnly: true, applicationServerKey: key },
      toJSON: () => ({ ...device, expirationTime: null }),
      unsubscribe: async () => (localStorage.removeItem(name), true),
    })
    PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
      localStorage.setItem(name, JSON.stringify([...key]))
      return made(new Uint8Array(key).buffer)
    }
    PushManager.prototype.getSubscription = async () => {
      const kept = localStorage.getItem(name)
      return kept ? made(new Uint8Array(JSON.parse(kept)).buffer) : null
    }
  }`)
}

/** Hands messages to the worker of a browser, as its push service would. */
export async function deliverPush(
  phone: Phone,
  page: Page,
  url: string,
): Promise<(text: string) => Promise<void>> {
  const debug = await phone.cdp(page)
  const seen = new Promise<string>((tell) =>
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const mine = registrations.find((it) => it.scopeURL.startsWith(url) && !it.isDeleted)
      if (mine) tell(mine.registrationId)
    }),
  )
  await debug.send('ServiceWorker.enable')
  const registrationId = await seen
  const { origin } = new URL(url)
  return async (data) => {
    await debug.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}
