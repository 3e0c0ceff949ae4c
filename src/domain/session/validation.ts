// Requires a recent validation of the password before a sensitive page opens.
import { redirect } from '@tanstack/react-router'
import { getValidation } from '#contract/accounts/password.ts'
import { call } from '#src/domain/api/api.ts'

/** Shortest remaining time of a validation, enough to fill in a form, ms. */
const ENOUGH = 60_000

/**
 * For the loader of a sensitive page: resolves if the password was validated within the last minutes, else redirects
 * to /user/password-validation, which returns here.
 * @param to the page's own path
 */
export async function requireValidation(to: string): Promise<void> {
  const { valid_until } = await call(getValidation, {})
  if (valid_until !== null && Date.parse(valid_until) - Date.now() > ENOUGH) return
  throw redirect({ to: '/user/password-validation', search: { to }, replace: true })
}
