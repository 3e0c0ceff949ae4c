// What a build can be told from outside.
interface ImportMetaEnv {
  /** Base of every call, when it is not this origin's `/api`. */
  readonly VITE_API_BASE?: string
  /** Parent domain of the session cookie, when other hosts of the same site read it. */
  readonly VITE_COOKIE_DOMAIN?: string
  /** Restrictions on what may be picked, JSON (features/publish/restrictions.ts). */
  readonly VITE_UPLOAD_RESTRICTIONS?: string
}
