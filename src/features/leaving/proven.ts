// A password proven lately, and the page that asks for it.
import { getValidation } from '#contract/accounts/password.ts'
import { call } from '#src/domain/api/api.ts'

/** Whether this session may do what matters without asking again. */
export async function isProven(): Promise<boolean> {
  return (await call(getValidation, {})).valid_until !== null
}

/** The address that validates the password and then opens `to`. */
export const provePath = (to: string): string => `/user/password-validation?${new URLSearchParams({ to })}`
