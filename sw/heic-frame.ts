// Lets pages of a browser without WebAssembly embed the document that decodes HEIC.
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'

/**
 * Returns the shell with permission to embed exactly that document, added to the server's policy. In all other
 * browsers, and in every answer of the server, the policy is unchanged: `default-src 'none'` allows no frame.
 * @param origin of the app
 */
export function allowHeicFrame(shell: Response, origin: string): Response {
  const policy = shell.headers.get('content-security-policy')
  if (policy === null || policy.includes('frame-src')) return shell
  const headers = new Headers(shell.headers)
  headers.set('content-security-policy', `${policy}; frame-src ${origin}${HEIC_SANDBOX_PATH}`)
  return new Response(shell.body, { status: shell.status, statusText: shell.statusText, headers })
}
