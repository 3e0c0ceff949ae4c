// The entry of an uploaded file in a person's zip.
import type { Deps } from '#server/deps.ts'

export type ZipEntry = Parameters<Deps['files']['writeZip']>[1][number]
export type FileEntry = Extract<ZipEntry, { is: 'file' }>

/** The entry of a file; none if the file is missing, so that the zip can be built without it. */
export async function fileEntry(
  { files }: Pick<Deps, 'files'>,
  name: string,
  id: string,
): Promise<FileEntry[]> {
  const file = files.uploadPath(id)
  return (await files.sizeOf(file)) === undefined ? [] : [{ is: 'file', name, file }]
}
