// The state of the password validation, and the path to its page.
import { getValidation } from '#contract/accounts/password.ts'
import { call } from '#src/domain/api/api.ts'

/** Whether this session has a valid password validation. */
export async function isValidated(): Promise<boolean> {
  return (await call(getValidation, {})).valid_until !== null
}

/** The path that validates the password and then opens `to`. */
export const validationPath = (to: string): string =>
  `/user/password-validation?${new URLSearchParams({ to })}`
