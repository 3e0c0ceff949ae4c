// What a deleted account is called, and its address.

export const DEPARTED_NAME = '退会したユーザー'

/** The address of a deleted account. It is unique, and neither valid nor deliverable. @param id the account's id */
export const departedEmail = (id: string): string => `deleted-${id}@invalid`
