// Methods and paths of the four calls of a session, as a build configures them.

/** A method and a path below the API base. */
export interface AuthCall {
  readonly method: string
  readonly path: string
}

/** The variable of each call, by the name of its endpoint (`contract/accounts`), and the methods it may have. */
const variables = {
  signIn: { name: 'VITE_SIGN_IN', methods: ['POST', 'PUT'] },
  register: { name: 'VITE_SIGN_UP', methods: ['POST', 'PUT'] },
  signOut: { name: 'VITE_SIGN_OUT', methods: ['POST', 'PUT', 'DELETE', 'GET'] },
  getSession: { name: 'VITE_GET_SESSION', methods: ['GET', 'POST'] },
} as const

/**
 * Reads `VITE_SIGN_IN` and the others, such as `POST /login`.
 * @returns the configured calls by the names of their endpoints; undefined where all are the contract's
 * @throws Error that names a variable of another form
 */
export function authCallsOf(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, AuthCall>> | undefined {
  const calls = Object.entries(variables).flatMap(([endpoint, { name, methods }]) => {
    const value = env[name]?.trim() ?? ''
    if (value === '') return []
    const [, method = '', path = ''] = /^([A-Z]+) (\/[^\s?#:]*)$/.exec(value) ?? []
    if (!(methods as readonly string[]).includes(method))
      throw new Error(
        `${name} must be a method (${methods.join(', ')}) and a path, such as ${methods[0]} /path: ${value}`,
      )
    return [[endpoint, { method, path }] as const]
  })
  return calls.length > 0 ? Object.fromEntries(calls) : undefined
}
