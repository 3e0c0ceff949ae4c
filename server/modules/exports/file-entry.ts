// The entry of an uploaded file in a person's zip.
import type { Deps } from '#server/deps.ts'

export type ZipEntry = Parameters<Deps['storage']['writeZip']>[1][number]
export type FileEntry = Extract<ZipEntry, { is: 'object' }>

/** The entry of a file; none if the file is missing, so that the zip can be built without it. */
export async function fileEntry(
  { storage }: Pick<Deps, 'storage'>,
  name: string,
  id: string,
): Promise<FileEntry[]> {
  const key = `uploads/${id}` as const
  const size = await storage.objects.sizeOf(key)
  return size === undefined ? [] : [{ is: 'object', name, key, size }]
}
