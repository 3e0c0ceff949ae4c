// Stores mutations that a closing page has not stored: the worker outlives the page.
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { Session } from '#device/database/schema.ts'

export interface StoreMutationPorts {
  readonly session: () => Promise<Session | undefined>
  readonly store: (userId: string, mutation: NewMutation) => Promise<void>
}

/** Stores mutations in their order, if their author is still signed in; one that the page stored is not changed. */
export async function storeMutations(
  { session, store }: StoreMutationPorts,
  userId: string,
  mutations: readonly NewMutation[],
): Promise<void> {
  const signedIn = await session()
  if (signedIn?.user.id !== userId) return
  for (const it of mutations) await store(userId, it)
}
