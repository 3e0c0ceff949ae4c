// Opens the stored objects alone, without the database.
import type { ObjectStore } from '#server/adapters/files/object-store.ts'
import { openStorage, type Storage } from '#server/adapters/files/storage.ts'
import type { Env } from '#server/env/env.ts'
import { s3Of } from '#server/env/s3.ts'

function optionsOf(env: Env) {
  const settings = s3Of(env)
  const movedFrom = env.OBJECTS_FROM === '' ? undefined : env.OBJECTS_FROM
  return { shared: true, s3: settings, movedFrom }
}

/** Runs work with the storage that the environment configures; servers may use it meanwhile. */
export async function withStorage<T>(env: Env, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(env.DATA_DIR, optionsOf(env))
  try {
    return await work(storage)
  } finally {
    await storage.scratch.remove(storage.scratch.folder)
  }
}

/** Runs work that may need the stored objects; without a call of `factsOf` no folder is made. */
export async function withFacts<T>(
  env: Env,
  work: (factsOf: ObjectStore['factsOf']) => Promise<T>,
): Promise<T> {
  let opening: Promise<Storage> | undefined
  try {
    return await work(async (key) => {
      opening ??= openStorage(env.DATA_DIR, optionsOf(env))
      return (await opening).objects.factsOf(key)
    })
  } finally {
    const storage = await opening
    await storage?.scratch.remove(storage.scratch.folder)
  }
}
