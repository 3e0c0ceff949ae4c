// Masks an email address, so that only its owner recognises it.

/** `hanako@example.com` → `h•••@example.com`. The number of dots is fixed, as it would reveal the length. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, at)
  return `${first}•••${email.slice(at)}`
}
