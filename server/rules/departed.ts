// What stays of somebody whose account is gone: a row that names nobody.

export interface Departed {
  readonly email: string
  readonly passwordHash: string
  readonly name: string
  readonly birthDate: string
  readonly handle: null
  readonly bio: string
  readonly links: readonly string[]
  readonly role: 'member'
  readonly identifiedAt: null
}

/**
 * The row that purchases and audit entries go on pointing at.
 * @param id the account's id; the address made of it is one nobody can type or be sent mail at
 */
export function departed(id: string): Departed {
  return {
    email: `deleted-${id}@invalid`,
    passwordHash: '',
    name: '退会したユーザー',
    birthDate: '1900-01-01',
    handle: null,
    bio: '',
    links: [],
    role: 'member',
    identifiedAt: null,
  }
}
