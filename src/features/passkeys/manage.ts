// Adds and removes passkeys; every outcome is a value.
import { addPasskey, requestNewPasskey, removePasskey } from '#contract/accounts/passkeys.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { passkeysText } from './text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { makePasskey } from './ceremonies.ts'

export type ManageEnd =
  | { is: 'done' }
  | { is: 'stopped' }
  /** A password validation is required first. */
  | { is: 'unproven' }
  | { is: 'failed'; sentence: string }

export function add(): Promise<ManageEnd> {
  return orFailure(async () => {
    const { challenge_id, options } = await call(requestNewPasskey, {})
    const made = await makePasskey(options)
    if (made.is === 'stopped') return { is: 'stopped' }
    if (made.is !== 'done') return { is: 'failed', sentence: passkeysText.ends[made.is] }
    await call(addPasskey, { body: { challenge_id, response: made.response } })
    return { is: 'done' }
  })
}

export function remove(passkeyId: string): Promise<ManageEnd> {
  return orFailure(async () => {
    await call(removePasskey, { params: { passkey_id: passkeyId } })
    return { is: 'done' }
  })
}

async function orFailure(work: () => Promise<ManageEnd>): Promise<ManageEnd> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return error.code === 'validation_required'
      ? { is: 'unproven' }
      : { is: 'failed', sentence: errorText[error.code] }
  }
}
