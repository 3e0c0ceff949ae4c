// A pool of browsers that stories reuse. A start takes as long as a story. Between two stories all data is
// cleared, so that only the installed app remains; a browser in an uncertain state is not reused.
import { startWorker, clearBrowser } from './clear-browser.ts'
import { Phone } from './phone.ts'
import type { InstalledApp } from './installed-app.ts'

/** Largest number of idle browsers: most stories use one, some use two. */
const MAX_IDLE = 2

export class PhonePool {
  readonly #app: InstalledApp
  readonly #idle: Phone[] = []
  readonly #inUse = new Set<Phone>()

  constructor(app: InstalledApp) {
    this.#app = app
  }

  /** Returns a browser in which only the app is installed. */
  async acquire(): Promise<Phone> {
    const phone = (await this.#reuse()) ?? (await Phone.launch({ profile: this.#app.profile }))
    this.#inUse.add(phone)
    return phone
  }

  /** Clears a browser for reuse, or discards it; also takes browsers that are not of this pool. */
  async release(phone: Phone): Promise<void> {
    const isReusable = this.#inUse.delete(phone) && !phone.isMarked && this.#idle.length < MAX_IDLE
    const isCleared =
      isReusable &&
      (await clearBrowser(phone, this.#app.origin).then(
        () => true,
        () => false,
      ))
    if (isCleared) this.#idle.push(phone)
    else await phone.discard()
  }

  async discard(): Promise<void> {
    for (const phone of this.#idle.splice(0)) await phone.discard()
  }

  async #reuse(): Promise<Phone | undefined> {
    const phone = this.#idle.pop()
    if (!phone) return undefined
    const isSame = (worker: string) => worker === this.#app.worker
    if (await startWorker(phone, this.#app.origin).then(isSame, () => false)) return phone
    await phone.discard()
    return this.#reuse()
  }
}
