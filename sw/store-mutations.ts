// Stores mutations that a closing page had no time to store; the worker outlives the page.
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { Session } from '#device/database/schema.ts'

export interface StoreMutationPorts {
  readonly session: () => Promise<Session | undefined>
  readonly store: (userId: string, mutation: NewMutation) => Promise<void>
}

/** Stores them in their order, if their person is still signed in; one that the page stored is not changed. */
export async function storeMutations(
  { session, store }: StoreMutationPorts,
  userId: string,
  mutations: readonly NewMutation[],
): Promise<void> {
  const who = await session()
  if (who?.user.id !== userId) return
  for (const it of mutations) await store(userId, it)
}
