// UsernameHint: a hidden username, so that a password manager finds the account of a form.

export function UsernameHint({ email }: { email: string | undefined }) {
  return (
    <input
      type="email"
      name="username"
      autoComplete="username"
      value={email ?? ''}
      readOnly
      hidden
      aria-hidden
      tabIndex={-1}
    />
  )
}
