// Values that a build takes from its environment.
interface ImportMetaEnv {
  /** Base of every call, when it is not this origin's `/api`. */
  readonly VITE_API_BASE?: string
  /** `specification`: the server has only the calls of section 7 (contract/response.ts). */
  readonly VITE_SERVER?: string
  /** Calls of a session that this build has in place of the contract's (tools/vite/auth-calls.ts). */
  readonly VITE_AUTH_CALLS?: Readonly<
    Record<string, Pick<import('#contract/endpoint.ts').Endpoint, 'method' | 'path'>>
  >
  /** Parent domain of the session cookie, when other hosts of the same site read it. */
  readonly VITE_COOKIE_DOMAIN?: string
  /** The live connection, if it should not be requested from the server (section 7). */
  readonly VITE_REVERB_APP_KEY?: string
  readonly VITE_REVERB_HOST?: string
  readonly VITE_REVERB_PORT?: string
  readonly VITE_REVERB_SCHEME?: string
  readonly VITE_REVERB_PATH?: string
  /** Restrictions on what may be picked, JSON (features/publish/restrictions.ts). */
  readonly VITE_UPLOAD_RESTRICTIONS?: string
}
