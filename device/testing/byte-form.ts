// Modules of the device in a browser that stores bytes in one form, for tests.
import type { ByteForm } from '#device/files/byte-form.ts'

const vendors: Record<ByteForm, string> = { blob: 'Google Inc.', copy: 'Apple Computer, Inc.', buffer: '' }

/** Web Locks that are all granted at once. */
const locks = {
  request: async (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)(),
  query: async () => ({ held: [] }),
}

/** The `navigator` of a browser that stores bytes in this form. */
export const navigatorOf = (form: ByteForm) => ({ vendor: vendors[form], locks })

/** The modules, loaded after `vi.resetModules` with this `navigator`. The test closes their database. */
export async function modulesStoring(form: ByteForm) {
  const { byteForm, setProbe } = await import('#device/files/byte-form.ts')
  if (form !== 'buffer') setProbe(async () => 'todoke')
  await byteForm()
  const { addPhotos, mostPhotoBytes } = await import('#device/files/photos.ts')
  const { copyFile } = await import('#device/files/import-file.ts')
  const { closeDatabase } = await import('#device/database/database.ts')
  const { onChange } = await import('#device/database/changes.ts')
  return { addPhotos, mostPhotoBytes, copyFile, closeDatabase, onChange }
}
