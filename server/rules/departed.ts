// The anonymous row of a deleted account.

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
 * The values of a deleted account's row, to which purchases and audit entries refer.
 * @param id the account's id; the address derived from it is neither valid nor deliverable
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
