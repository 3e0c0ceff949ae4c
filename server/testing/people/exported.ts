// Requests, builds and downloads a person's data export.
import { EXPORT_COOKIE, EXPORT_FILE_PATH } from '#contract/accounts/export.ts'
import type { Deps } from '#server/deps.ts'
import { makeExport } from '#server/modules/exports/make.ts'
import { newestExport } from '#server/store/accounts/exports.ts'
import { validate, secretOf } from './leaving.ts'
import { emailsTo } from './emails.ts'
import { call, type Member } from './members.ts'
import { unzip, type Unzipped } from '#server/testing/media/unzip.ts'
import type { World } from '#server/testing/world.ts'

/** Export requests on a test server. @param worldOf returns the test server, once it is open */
export function exportsIn(worldOf: () => World) {
  async function requestExport(as: Member) {
    await validate(worldOf(), as)
    return call(worldOf(), as, 'POST', '/user/export')
  }
  const idOf = async (as: Member) => (await newestExport(worldOf().deps.db, as.id))?.id ?? ''
  const make = async (as: Member) => makeExport(worldOf().deps, await idOf(as))
  /** Requests an export and builds it. @returns the secret in the email's link */
  async function exported(as: Member): Promise<string> {
    await requestExport(as)
    await make(as)
    return secretOf(await emailsTo(worldOf(), as.email), 'export_ready')
  }
  return {
    ask: requestExport,
    idOf,
    make,
    exported,
    state: async (as: Member) => (await call(worldOf(), as, 'GET', '/user/export')).json(),
    /** @param secret of the email's link; without one a validation is needed */
    fetchZip: (as: Member | null, secret?: string, { cookie, ...headers }: Record<string, string> = {}) => {
      const cookies = [cookie, secret !== undefined && `${EXPORT_COOKIE}=${secret}`].filter(Boolean)
      const sent = cookies.length === 0 ? headers : { ...headers, cookie: cookies.join('; ') }
      return call(worldOf(), as, 'GET', EXPORT_FILE_PATH, undefined, sent)
    },
  }
}

/** Requests an export, builds it, and downloads it by the email's link. */
export async function exportOf(world: World, member: Member): Promise<Unzipped[]> {
  const { exported, fetchZip } = exportsIn(() => world)
  return unzip((await fetchZip(member, await exported(member))).rawPayload)
}

/** The same dependencies with a disk on which no file can be moved to its final path. */
export function fullDisk(deps: Deps): Deps {
  return {
    ...deps,
    storage: {
      ...deps.storage,
      objects: { ...deps.storage.objects, put: () => Promise.reject(new Error('the disk is full')) },
    },
  }
}
