// Where the live connection goes (specification sections 7 and 9): what is not named is the page's own.
import { REALTIME_PATH } from '#contract/paths.ts'

export interface Address {
  readonly key: string
  readonly host: string | null
  readonly port: number | null
  readonly scheme: string | null
  readonly path: string
}

/** What a build says of it (`VITE_REVERB_*`). */
type Built = Pick<
  ImportMetaEnv,
  'VITE_REVERB_APP_KEY' | 'VITE_REVERB_HOST' | 'VITE_REVERB_PORT' | 'VITE_REVERB_SCHEME' | 'VITE_REVERB_PATH'
>

/** Empty is as good as not there: files of settings list every name. */
const said = (text: string | undefined) => (text === undefined || text === '' ? null : text)

/** The live connection's address in the build; undefined where the server provides it. */
export function builtAddress(built: Built): Address | undefined {
  const key = said(built.VITE_REVERB_APP_KEY)
  if (key === null) return undefined
  const port = Number(said(built.VITE_REVERB_PORT))
  const path = said(built.VITE_REVERB_PATH) ?? REALTIME_PATH
  return {
    key,
    host: said(built.VITE_REVERB_HOST),
    port: port > 0 ? port : null,
    scheme: said(built.VITE_REVERB_SCHEME),
    // A service without a path of its own.
    path: path === '/' ? '' : path,
  }
}

export interface Place {
  readonly key: string
  readonly host: string
  readonly port: number
  readonly path: string
  /** Forced unless the scheme is another than https. */
  readonly tls: boolean
}

export function placeOf(
  { key, host, port, scheme, path }: Address,
  page: Pick<Location, 'protocol' | 'hostname' | 'port'>,
): Place {
  const own = host === null
  const tls = (scheme ?? (own ? page.protocol.replace(':', '') : 'https')) === 'https'
  const named = port ?? (own && page.port !== '' ? Number(page.port) : undefined)
  return { key, host: host ?? page.hostname, port: named ?? (tls ? 443 : 80), path, tls }
}
