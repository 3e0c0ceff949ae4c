// Where a browser has no WebAssembly: its pages may embed the one document that decodes HEIC without it.
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'

/**
 * The shell as such a browser gets it: the server's policy, and permission to embed exactly that document. All other
 * browsers, and every answer of the server, keep the policy as it is: `default-src 'none'` allows no frame.
 * @param origin of the app
 */
export function allowHeicFrame(shell: Response, origin: string): Response {
  const policy = shell.headers.get('content-security-policy')
  if (policy === null || policy.includes('frame-src')) return shell
  const headers = new Headers(shell.headers)
  headers.set('content-security-policy', `${policy}; frame-src ${origin}${HEIC_SANDBOX_PATH}`)
  return new Response(shell.body, { status: shell.status, statusText: shell.statusText, headers })
}
