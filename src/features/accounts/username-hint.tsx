// UsernameHint: tells a password manager whose password this form is about. People know it, so nobody sees it.

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
