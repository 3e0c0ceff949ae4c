// Pushes in a browser without a push service, by a replaced subscription and the debugger.
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

/** The push service of server/testing in a child process. Servers started afterwards trust it. */
export class PushService {
  readonly arrived: string[] = []
  devices: readonly Subscription[] = []
  /** Environment of a server that trusts it; later children of this process have it by themselves. */
  environment: Readonly<Record<string, string>> = {}
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
      service.environment = { PUSH_STAND_IN: it.origin, NODE_EXTRA_CA_CERTS: it.certificateFile }
      Object.assign(process.env, service.environment)
      service.devices = it.devices
    })
    await until(async () => (service.devices.length > 0 ? true : undefined), 'the push service')
    return service
  }

  /** Waits for the message with this index, decrypted. */
  next(index: number): Promise<string> {
    return until(async () => this.arrived[index], 'a push at the push service')
  }

  stop(): void {
    for (const it of Object.keys(this.environment)) delete process.env[it]
    this.#child.kill()
  }
}

/** Makes the following pages of a tab subscribe to the push service of the tests. */
export async function subscribeTo(page: Page, device: Subscription): Promise<void> {
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
      const stored = localStorage.getItem(name)
      return stored ? made(new Uint8Array(JSON.parse(stored)).buffer) : null
    }
  }`)
}

/** Returns a function that delivers messages to the worker, as the browser's push service would. */
export async function deliverPush(
  phone: Phone,
  page: Page,
  url: string,
): Promise<(text: string) => Promise<void>> {
  const debug = await phone.cdp(page)
  const registration = new Promise<string>((resolve) =>
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const active = registrations.find((it) => it.scopeURL.startsWith(url) && !it.isDeleted)
      if (active) resolve(active.registrationId)
    }),
  )
  await debug.send('ServiceWorker.enable')
  const registrationId = await registration
  const { origin } = new URL(url)
  return async (data) => {
    await debug.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}
