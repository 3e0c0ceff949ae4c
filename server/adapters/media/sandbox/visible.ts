// The files that a sandbox shows, by their paths and by their real ones.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Packages that the media program imports. Each may be a link to a folder outside the project. */
export const decoderPackages: readonly string[] = [
  'libheif-js',
  'mediabunny',
  'sharp',
  'thumbhash',
  'valibot',
]

/** The path without symbolic links; of a missing file the absolute one. */
export function realOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return path.resolve(file)
  }
}

/** Whether a path is one of the folders or inside one, by its text alone. */
export const isInside = (file: string, folders: readonly string[]): boolean =>
  folders.some((it) => `${file}/`.startsWith(`${it}/`))

/** The paths that exist, each with its real one if that is not inside another of them. */
export function withRealPaths(paths: readonly string[]): string[] {
  const all = paths.filter((it) => existsSync(it))
  for (const it of all.map(realOf)) if (!isInside(it, all)) all.push(it)
  return all
}

/** Every path by which the visible folders show the hidden ones. */
export const coversOf = (hidden: readonly string[], visible: readonly string[]): string[] =>
  hidden.map(realOf).flatMap((folder) =>
    visible.flatMap((it) => {
      const real = realOf(it)
      return isInside(folder, [real]) ? [path.join(it, path.relative(real, folder))] : []
    }),
  )

interface Described {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The folder from which code in `from` gets a package, as Node finds it. */
function packageFolder(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name)
    if (existsSync(path.join(found, 'package.json'))) return found
    if (folder === path.dirname(folder)) return undefined
  }
}

/** The innermost `node_modules` around a package, which has its neighbours too; else the package itself. */
function holderOf(folder: string): string {
  const end = folder.lastIndexOf('/node_modules/')
  return end === -1 ? folder : folder.slice(0, end + '/node_modules'.length)
}

/**
 * Folders of the packages that the media program needs: those of links, and of packages above the project. Package managers link to
 * stores, of which the rest stays invisible.
 * @param project the folder of the program
 */
export function packageFolders(project: string, names = decoderPackages): string[] {
  const folders = new Set<string>()
  const seen = new Set<string>()
  const wanted = names.map((name) => ({ name, from: project }))
  for (const { name, from } of wanted) {
    const folder = packageFolder(name, from)
    if (folder === undefined) continue
    folders.add(holderOf(folder))
    const real = realOf(folder)
    if (seen.has(real)) continue
    seen.add(real)
    folders.add(holderOf(real))
    const described = JSON.parse(readFileSync(path.join(real, 'package.json'), 'utf8')) as Described
    const further = Object.keys({ ...described.dependencies, ...described.optionalDependencies })
    wanted.push(...further.map((it) => ({ name: it, from: real })))
  }
  return [...folders]
}
