// PasskeyValidation: validation by a passkey instead of the password. Hidden for a person without one.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestPasskeyValidation, listPasskeys, validateByPasskey } from '#contract/accounts/passkeys.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { passkeysText as words } from './text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { answerByPasskey, canPasskeys } from './ceremonies.ts'
import { PasskeyButton } from './passkey-button.tsx'

/** @param onValidated the session is proven for ten minutes */
export function PasskeyValidation({ onValidated }: { onValidated: () => void }) {
  const { data } = useQuery({ ...queryFor(listPasskeys, {}), enabled: canPasskeys })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!data || data.passkeys.length === 0) return null
  async function press() {
    setBusy(true)
    setProblem(undefined)
    const end = await validate().finally(() => setBusy(false))
    if (end.is === 'validated') onValidated()
    else setProblem(end.sentence)
  }
  return <PasskeyButton label={words.validate} busy={busy} problem={problem} onPress={() => void press()} />
}

type End = { is: 'validated' } | { is: 'not'; sentence?: string }

async function validate(): Promise<End> {
  try {
    const { challenge_id, options } = await call(requestPasskeyValidation, {})
    const end = await answerByPasskey(options)
    if (end.is === 'stopped') return { is: 'not' }
    if (end.is !== 'done') return { is: 'not', sentence: words.ends[end.is] }
    await call(validateByPasskey, { body: { challenge_id, response: end.response } })
    return { is: 'validated' }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return { is: 'not', sentence: errorText[error.code] }
  }
}
