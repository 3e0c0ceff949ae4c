// PasskeySignIn: signs in by a passkey, with a button and by autofill.
import { useEffect, useEffectEvent, useState } from 'react'
import { requestPasskeySignIn, passkeySignIn } from '#contract/accounts/passkeys.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { signInBy } from '#src/domain/session/session.ts'
import { passkeysText as words } from './text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { sessionText } from '#src/domain/session/text.ts'
import { answerByPasskey, canAutofill, canPasskeys, stopCeremony } from './ceremonies.ts'
import { PasskeyButton } from './passkey-button.tsx'

/** A new challenge is requested before the server's expires, ms. */
const AGAIN_MS = 4 * 60_000

/** Failures that are also shown after autofill, since the person chose the passkey. */
const refusals = new Set<string | undefined>([errorText.passkey_refused, errorText.passkey_unverified])

/** Renders nothing in a browser without passkeys. */
export function PasskeySignIn() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function enter(autofill: boolean): Promise<void> {
    const sentence = await signIn(autofill)
    // A failure of autofill is not shown.
    if (!autofill || refusals.has(sentence)) setProblem(sentence)
  }
  useAutofill(!busy, () => enter(true))
  if (!canPasskeys) return null
  async function press() {
    setBusy(true)
    setProblem(undefined)
    await stopCeremony()
    await enter(false).finally(() => setBusy(false))
  }
  return <PasskeyButton label={words.signIn} busy={busy} problem={problem} onPress={() => void press()} />
}

/** Signs in. @returns the sentence of a failure to show, if any */
async function signIn(autofill: boolean): Promise<string | undefined> {
  try {
    const { challenge_id, options } = await call(requestPasskeySignIn, {})
    const end = await answerByPasskey(options, autofill)
    if (end.is === 'stopped') return words.notFinished
    if (end.is !== 'done') return words.ends[end.is]
    // The route guard opens the requested page.
    const body = { challenge_id, response: end.response }
    return (await signInBy(passkeySignIn, { body })) ? undefined : sessionText.notSignedIn
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return errorText[error.code]
  }
}

/** Offers passkeys by autofill while no other request is running. */
function useAutofill(active: boolean, offer: () => Promise<void>): void {
  const wait = useEffectEvent(offer)
  useEffect(() => {
    if (!active) return undefined
    const over = new AbortController()
    async function offerAgain() {
      if (!(await canAutofill())) return
      while (!over.signal.aborted) {
        let renew = false
        const timer = setTimeout(() => {
          renew = true
          void stopCeremony()
        }, AGAIN_MS)
        await wait().finally(() => clearTimeout(timer))
        if (!renew) return
      }
    }
    void offerAgain().catch((error: unknown) => console.error(error))
    return () => {
      over.abort()
      void stopCeremony()
    }
  }, [active])
}
