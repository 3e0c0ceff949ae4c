// Creates and uses passkeys in the browser; every outcome is a value.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { BodyOf } from '#contract/endpoint.ts'
import type { addPasskey, passkeySignIn } from '#contract/accounts/passkeys.ts'

export type CeremonyEnd<T> =
  | { is: 'done'; response: T }
  /** The person closed the browser's dialog, or another one replaced it. */
  | { is: 'stopped' }
  /** The authenticator has a passkey of this account already. */
  | { is: 'known' }
  /** The page has another host than passkeys are bound to. */
  | { is: 'elsewhere' }
  | { is: 'failed' }

export type Attested = BodyOf<typeof addPasskey>['response']
export type Asserted = BodyOf<typeof passkeySignIn>['response']

// It arrives when it is needed: most visits never do.
const library = () => import('@simplewebauthn/browser')

/** Whether this browser knows passkeys at all. */
export const canPasskeys = typeof globalThis.PublicKeyCredential === 'function'

/** @param options as the server gave them */
export async function makePasskey(options: object): Promise<CeremonyEnd<Attested>> {
  const { startRegistration } = await library()
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return ended(() => startRegistration({ optionsJSON }) as Promise<Attested>)
}

/**
 * @param options as the server gave them
 * @param autofill wait quietly until the person chooses a passkey among what the browser fills into the form
 */
export async function answerByPasskey(options: object, autofill = false): Promise<CeremonyEnd<Asserted>> {
  const { startAuthentication } = await library()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return ended(() => startAuthentication({ optionsJSON, useBrowserAutofill: autofill }) as Promise<Asserted>)
}

export async function canAutofill(): Promise<boolean> {
  return canPasskeys && (await library()).browserSupportsWebAuthnAutofill()
}

/** Ends the question that is open, if there is one. */
export async function stopCeremony(): Promise<void> {
  ;(await library()).WebAuthnAbortService.cancelCeremony()
}

async function ended<T>(ceremony: () => Promise<T>): Promise<CeremonyEnd<T>> {
  try {
    return { is: 'done', response: await ceremony() }
  } catch (error) {
    const { name } = error instanceof Error ? error : { name: '' }
    if (name === 'NotAllowedError' || name === 'AbortError') return { is: 'stopped' }
    if (name === 'InvalidStateError') return { is: 'known' }
    if (name === 'SecurityError') return { is: 'elsewhere' }
    console.error(error)
    return { is: 'failed' }
  }
}
