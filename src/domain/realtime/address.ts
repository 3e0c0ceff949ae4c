// The address of the live connection (specification sections 7 and 9).
import { REALTIME_PATH } from '#contract/paths.ts'

export interface Address {
  readonly key: string
  readonly host: string | null
  readonly port: number | null
  readonly scheme: string | null
  readonly path: string
}

/** The variables of a build (`VITE_REVERB_*`). */
type Built = Pick<
  ImportMetaEnv,
  'VITE_REVERB_APP_KEY' | 'VITE_REVERB_HOST' | 'VITE_REVERB_PORT' | 'VITE_REVERB_SCHEME' | 'VITE_REVERB_PATH'
>

/** A variable's value; null when it is empty, since settings files list every name. */
const valueOf = (text: string | undefined) => (text === undefined || text === '' ? null : text)

/** The live connection's address in the build; undefined where the server provides it. */
export function builtAddress(built: Built): Address | undefined {
  const key = valueOf(built.VITE_REVERB_APP_KEY)
  if (key === null) return undefined
  const port = Number(valueOf(built.VITE_REVERB_PORT))
  const path = valueOf(built.VITE_REVERB_PATH) ?? REALTIME_PATH
  return {
    key,
    host: valueOf(built.VITE_REVERB_HOST),
    port: port > 0 ? port : null,
    scheme: valueOf(built.VITE_REVERB_SCHEME),
    // The service has no path.
    path: path === '/' ? '' : path,
  }
}

export interface ConnectionTarget {
  readonly key: string
  readonly host: string
  readonly port: number
  readonly path: string
  /** Whether TLS is forced: for https, which is the default for another host. */
  readonly tls: boolean
}

export function targetOf(
  { key, host, port, scheme, path }: Address,
  page: Pick<Location, 'protocol' | 'hostname' | 'port'>,
): ConnectionTarget {
  const own = host === null
  const tls = (scheme ?? (own ? page.protocol.replace(':', '') : 'https')) === 'https'
  const named = port ?? (own && page.port !== '' ? Number(page.port) : undefined)
  return { key, host: host ?? page.hostname, port: named ?? (tls ? 443 : 80), path, tls }
}
