// Browsers reused by the next story: starting one takes as long as many a story. Between two stories all data is
// cleared, down to the state of a copied profile; a browser in an uncertain state is not reused.
import { startWorker, clearBrowser } from './clear-browser.ts'
import { Phone } from './phone.ts'
import type { InstalledApp } from './installed-app.ts'

/** How many wait for a story: most have one, and some two. */
const KEPT = 2

export class PhonePool {
  readonly #address: InstalledApp
  readonly #idle: Phone[] = []
  readonly #given = new Set<Phone>()

  constructor(address: InstalledApp) {
    this.#address = address
  }

  /** A phone as if it had only seen the app. */
  async take(): Promise<Phone> {
    const phone = (await this.#again()) ?? (await Phone.on({ profile: this.#address.profile }))
    this.#given.add(phone)
    return phone
  }

  /** Ends a story's use of a phone, from here or not. */
  async giveBack(phone: Phone): Promise<void> {
    const mayStay = this.#given.delete(phone) && !phone.isMarked && this.#idle.length < KEPT
    const forgot =
      mayStay &&
      (await clearBrowser(phone, this.#address.origin).then(
        () => true,
        () => false,
      ))
    if (forgot) this.#idle.push(phone)
    else await phone.discard()
  }

  async discard(): Promise<void> {
    for (const phone of this.#idle.splice(0)) await phone.discard()
  }

  async #again(): Promise<Phone | undefined> {
    const phone = this.#idle.pop()
    if (!phone) return undefined
    const isSame = (worker: string) => worker === this.#address.worker
    if (await startWorker(phone, this.#address.origin).then(isSame, () => false)) return phone
    await phone.discard()
    return this.#again()
  }
}
