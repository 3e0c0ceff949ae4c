// Browsers that go on from one story to the next: starting one costs as much as what many a story does with it. Between
// two stories it forgets, down to what a copied profile knows; one of which that is not sure is not used again.
import { awake, forget } from './forgetting.ts'
import { Phone } from './phone.ts'
import type { Address } from './visited.ts'

/** How many wait for a story: most have one, and some two. */
const KEPT = 2

export class KeptPhones {
  readonly #address: Address
  readonly #idle: Phone[] = []
  readonly #given = new Set<Phone>()

  constructor(address: Address) {
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
      (await forget(phone, this.#address.origin).then(
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
    if (await awake(phone, this.#address.origin).then(isSame, () => false)) return phone
    await phone.discard()
    return this.#again()
  }
}
